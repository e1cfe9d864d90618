use morta_base::{DreamId, GolemId, LetterId, WorldSeed};
use morta_engine::llm::outside::OutsideHandle;
use morta_engine::llm::{Broker, BrokerAnswer, InferenceRequest, LlmConfig, Task, Tier};

fn request() -> InferenceRequest {
    let task = Task::Consolidate { patterns: Vec::new() };
    let dream = DreamId { golem: GolemId::founder(0), number: 0 };
    InferenceRequest { task, briefing: None, tier: Tier::T0, temperature: 0.4, max_output_tokens: 100, dream }
}

fn letter(lineage: u32) -> LetterId {
    LetterId { golem: GolemId::founder(lineage), number: 0 }
}

#[test]
fn the_rate_limit_makes_requests_wait_in_order() {
    let config = LlmConfig { requests_per_tick: 1, ..LlmConfig::default() };
    let mut broker = Broker::new(config, WorldSeed(1), OutsideHandle::default());
    let first = broker.step(0, vec![(letter(0), request()), (letter(1), request())]).unwrap().answers;
    assert_eq!(first.iter().map(|(l, _)| l.golem.lineage).collect::<Vec<_>>(), [0]);
    let second = broker.step(1, vec![(letter(2), request())]).unwrap().answers;
    assert_eq!(second.iter().map(|(l, _)| l.golem.lineage).collect::<Vec<_>>(), [1]);
    assert_eq!(broker.calls(), 2);
}

/// What comes before a question is read with it, whatever the question.
#[test]
fn a_briefing_is_paid_for_with_every_question() {
    let read = |briefing: Option<&str>| {
        let request = InferenceRequest { briefing: briefing.map(Into::into), ..request() };
        let answers = Broker::new(LlmConfig::default(), WorldSeed(1), OutsideHandle::default())
            .step(0, vec![(letter(0), request)])
            .unwrap()
            .answers;
        match &answers[0].1 {
            BrokerAnswer::Replied { input_tokens, cost, .. } => (*input_tokens, *cost),
            other => panic!("{other:?}"),
        }
    };
    let (without, cheap) = read(None);
    let (with, dear) = read(Some(&"x".repeat(4_000)));
    assert!((1_000..1_010).contains(&(with - without)), "{with} {without}");
    assert!(dear > cheap);
}

#[test]
fn latency_delays_the_answer() {
    let mut config = LlmConfig::default();
    config.t0.latency_ticks = Some(3);
    let mut broker = Broker::new(config, WorldSeed(1), OutsideHandle::default());
    assert!(broker.step(10, vec![(letter(0), request())]).unwrap().answers.is_empty());
    assert!(broker.step(11, Vec::new()).unwrap().answers.is_empty());
    assert_eq!(broker.step(12, Vec::new()).unwrap().answers.len(), 1);
}

#[test]
fn a_full_queue_and_a_spent_budget_refuse() {
    let config = LlmConfig { requests_per_tick: 1, queue_capacity: 1, ..LlmConfig::default() };
    let mut broker = Broker::new(config, WorldSeed(1), OutsideHandle::default());
    let answers = broker.step(0, vec![(letter(0), request()), (letter(1), request())]).unwrap().answers;
    assert!(answers.contains(&(letter(1), BrokerAnswer::Refused { dream: request().dream })));
    let config = LlmConfig { budget_usdc: Some(0.0), ..LlmConfig::default() };
    let answers = Broker::new(config, WorldSeed(1), OutsideHandle::default())
        .step(0, vec![(letter(0), request())])
        .unwrap()
        .answers;
    assert_eq!(answers, [(letter(0), BrokerAnswer::Refused { dream: request().dream })]);
}
