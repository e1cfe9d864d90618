use crate::common::episodes::{episode, holding, id};
use morta_base::EpisodeId;
use morta_engine::dream::nrem::triage::triage;
use morta_engine::dream::nrem::{ChosenTerms, Replayed, TriageConfig, TriageVerdict};
use morta_engine::episode::{Claim, ContextPattern, Provenance};
use morta_engine::llm::SourcedClaim;
use morta_engine::market::{Regime, Strategy};
use morta_engine::replay::SelectionReason;
use std::collections::BTreeMap;

#[test]
fn three_fates() {
    let mut grimoire = holding(10, (0..4).map(|number| episode(number, 10)));
    grimoire.mark_replayed(id(2), 20, 0.5);
    let replayed = |number: u32, utility| Replayed {
        episode: id(number),
        utility,
        reason: SelectionReason::TopUtility,
        importance_weight: 1.0,
        weight: 1.0,
        provenance: Provenance::Own,
        replays: 0,
        terms: ChosenTerms::default(),
    };
    let claim = Claim::of_worth(Strategy::Momentum, ContextPattern::from_regime(Regime::TrendingUp), -0.3);
    let patterns = [SourcedClaim { claim, learned_from: vec![id(0), id(3)] }];
    let all = [replayed(0, 0.2), replayed(1, 0.05), replayed(2, 0.05), replayed(3, 0.9)];
    let sort = |said: &BTreeMap<EpisodeId, TriageVerdict>| {
        triage(&all, &patterns, std::iter::empty(), said, &grimoire, &TriageConfig::default())
    };
    let sorted = sort(&BTreeMap::new());
    let verdicts: Vec<TriageVerdict> = sorted.iter().map(|triage| triage.verdict).collect();
    // The second is of as little use as the third, but has not been replayed before.
    assert_eq!(
        verdicts,
        [TriageVerdict::Abstract, TriageVerdict::Preserve, TriageVerdict::Forget, TriageVerdict::Preserve]
    );
    assert!(sorted.iter().all(|triage| triage.contradicted && !triage.by_model));
    // A model's word goes before the formula's.
    let said = BTreeMap::from([(id(1), TriageVerdict::Forget), (id(2), TriageVerdict::Preserve)]);
    let sorted = sort(&said);
    let verdicts: Vec<(TriageVerdict, bool)> =
        sorted.iter().map(|triage| (triage.verdict, triage.by_model)).collect();
    let expected = [
        (TriageVerdict::Abstract, false),
        (TriageVerdict::Forget, true),
        (TriageVerdict::Preserve, true),
        (TriageVerdict::Preserve, false),
    ];
    assert_eq!(verdicts, expected);
}
