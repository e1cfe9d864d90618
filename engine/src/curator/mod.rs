//! The Curator: waking housekeeping every 50 ticks. It clusters what a golem has lived through lately, draws insights from
//! what agrees, tags what doesn't for the next dream, lets insights rise and fall, and holds them against one another and
//! against what dreams have said.
//!
//! It only says what is to be done; the memory it says it of does it. What it proposes as a rule goes to the staging buffer, as
//! everything does: integration is the playbook's single writer.

pub mod config;
mod contrast;
mod cross;
mod distil;
pub mod letter;
mod promote;

pub use config::{CuratorConfig, age_discount};
pub use letter::{
    Conclusion, Curatable, CuratorReport, CuratorRequest, DreamTag, Flagged, KnownInsight, Operation,
    TagReason,
};

/// One cycle: distil, contrast, promote and decay; every so often, cross-reference; then what dreams and waking life say alike.
pub fn curate(request: &CuratorRequest, config: &CuratorConfig) -> CuratorReport {
    let mut report = CuratorReport { cycle: request.cycle, ..CuratorReport::default() };
    distil::distil(request, config, &mut report);
    contrast::contrast(request, config, &mut report);
    promote::promote(request, config, &mut report);
    if request.deep {
        cross::cross_reference(request, config, &mut report);
    }
    cross::corroborate(request, config, &mut report);
    report
}
