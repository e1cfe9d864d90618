//! Remarks that don't stop the work: a callback for warnings. A skipped line or a replaced value must be visible to the user, and yet
//! mustn't end a long import or dream. A callback was chosen over a list, so that a remark appears while the work goes on.
//!
//! Nearly everything in this library that reads a user's files takes one. Commands print remarks to standard error, tools of the MCP server
//! collect them into their answer or drop them. How many are made is the caller's to bound, as `dark_pawns::lines` does. The strongest
//! memories of an agent, `dark_pawns::notes`, have nothing to do with it.

/// Receives remarks, line by line.
pub type Notes<'a> = &'a mut dyn FnMut(&str);
