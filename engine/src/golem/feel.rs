//! What happens to a golem moves its mood.

use crate::daimon::{Appraisal, Happening, appraise};
use crate::golem::{Golem, Moment, Outbox};

impl Golem {
    /// Lets it feel something; says how it felt, whether or not its mood may move.
    pub(super) fn feel(&mut self, happening: Happening, moment: &Moment<'_>, _out: &mut Outbox) -> Appraisal {
        let appraisal = appraise(happening);
        self.mood.feel(appraisal, &moment.rules.daimon);
        appraisal
    }
}
