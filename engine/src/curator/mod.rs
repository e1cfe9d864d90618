//! The Curator: waking housekeeping every 50 ticks by default, half as often in conservation and not from decline on (digest section 3); a
//! visit that falls into sleep is left out. It clusters a golem's latest trades, draws insights from coherent clusters, tags the others for
//! the next dream, promotes and demotes insights, and compares them with one another and with the conclusions of dreams.
//!
//! It only reports operations; the golem's memory carries them out. Rules that it proposes go to the staging buffer, as
//! all do: integration is the playbook's single writer. Confidence and similarity run from 0 to 1, results are in R, intervals in ticks.
//! The field's names are memory consolidation, reflection (generative agents) and knowledge base maintenance; the method is after ExpeL. No
//! model is asked: every step is a formula. It comes at intervals and not at each trade, because one trade is no cluster.
//! `distil` clusters, `contrast` compares a strategy's trades, `promote` moves insights, `cross` compares them; `letter` is the protocol.

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

/// Runs one cycle of the Curator: distil, contrast, promote and decay, in a deep one cross-reference; then corroborate dreams. The order is
/// the digest's (section 3: distil, promote, decay): promotion sees the votes of this cycle. A pure function: one pass of memory
/// consolidation, which the Curator service makes at the barrier for each request.
pub fn curate(request: &CuratorRequest, config: &CuratorConfig) -> CuratorReport {
    let mut report = CuratorReport { cycle: request.cycle, ..CuratorReport::default() };
    distil::distil(request, config, &mut report);
    contrast::contrast(request, config, &mut report);
    promote::promote(request, config, &mut report);
    if request.deep {
        cross::cross_reference(request, config, &mut report);
    }
    cross::corroborate(request, &mut report);
    report
}
