//! Remarks that don't stop the work: a callback for warnings. A skipped line must be visible to the user, and
//! yet mustn't end a long import. A callback was chosen over a list, so that a remark appears while the work
//! goes on.

/// Receives remarks, line by line.
pub type Notes<'a> = &'a mut dyn FnMut(&str);
