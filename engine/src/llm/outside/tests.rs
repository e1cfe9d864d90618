//! Forms and replies of every task: unit tests of JSON Schemas, of parsing, and of the errors that a model is shown.

use super::answer::form_of;
use super::{CallReply, FinishReason, Unreadable, ask, ask_again, read};
use crate::common::episodes::episode;
use crate::daimon::{Happening, Pad, RuleTable, appraise};
use crate::episode::{Claim, ContextPattern, DecisionStep, StepKind, ThreatKind};
use crate::llm::{
    AppraisalBrief, Branch, CreativeMode, CreditBrief, EpisodeBrief, Fragment, InferenceRequest, LlmConfig,
    LlmMode, MorningSituation, OpenPosition, Prospect, Reply, SourcedClaim, Stance, Task, ThemeBrief, Tier,
    WhatIf,
};
use crate::market::{PositionSide, Regime, Strategy};
use morta_base::{DreamId, Usdc};
use serde_json::{Value, json};

fn briefs(count: u32) -> Vec<EpisodeBrief> {
    (0..count).map(|number| EpisodeBrief::from(&episode(number, 10))).collect()
}

fn patterns() -> Vec<SourcedClaim> {
    let claim = |r| Claim::of_worth(Strategy::Momentum, ContextPattern::from_regime(Regime::Volatile), r);
    let ids: Vec<_> = briefs(3).iter().map(|brief| brief.id).collect();
    vec![
        SourcedClaim { claim: claim(0.5), learned_from: ids[..2].to_vec() },
        SourcedClaim { claim: claim(-0.2), learned_from: ids[1..].to_vec() },
    ]
}

fn fragment() -> Fragment {
    let [a, b, c] = [0, 1, 2].map(|n| briefs(3)[n].id);
    let claim = patterns()[0].claim;
    Fragment {
        context_from: a,
        action_from: b,
        outcome_from: c,
        claim,
        novelty: 0.5,
        relevance: 0.5,
        coherence: 0.5,
    }
}

fn happening() -> AppraisalBrief {
    let happening = Happening::TradeClosed { percent: -12.0 };
    AppraisalBrief {
        happening: happening.words(),
        mood: Pad::new(0.1, 0.0, 0.2),
        vitality: 0.8,
        recent_r: -0.1,
        fitness: 0.5,
        by_rule: appraise(happening, &RuleTable::default()),
    }
}

fn themes() -> Vec<ThemeBrief> {
    let theme = |tag: &str, mean_r| ThemeBrief {
        tags: vec![tag.to_owned()],
        count: 4,
        strength: 0.8,
        mean_r,
        trades: 3,
    };
    vec![theme("breakout", 0.4), theme("volatile", -0.3)]
}

fn standing() -> MorningSituation {
    MorningSituation {
        tick: 400,
        context: briefs(1)[0].context,
        price: 101.5,
        gas: Usdc::from_dollars(0.25),
        positions: vec![OpenPosition {
            strategy: Strategy::Breakout,
            asset: 0,
            side: PositionSide::Long,
            stake: Usdc::from_dollars(20.0),
            unrealised_r: -0.4,
        }],
        rules: vec![patterns()[0].claim],
        alike: briefs(1),
    }
}

/// Every task there is, and a reply to it that can be used.
fn tasks() -> Vec<(Task, Value)> {
    let name = |n: usize| briefs(3)[n].id.to_string();
    let nowhere = json!({
        "regime": "volatile", "volatility": null, "liquidity": null, "session": null, "asset": null, "gas": null, "shock": null
    });
    let finding = json!({
        "strategy": "momentum", "circumstances": nowhere, "expected_r": 0.4, "from": [name(0), name(1)]
    });
    let mut guard = finding.clone();
    guard["expected_r"] = json!(-2.0);
    let episode = briefs(1).remove(0);
    vec![
        (
            Task::Dissolve { memories: briefs(3), keyword: None },
            json!({ "thought": { "place": name(0), "action": name(1), "outcome": name(2) } }),
        ),
        (Task::Observe { fragments: vec![fragment()] }, json!({ "scores": [0.7] })),
        (
            Task::FindPatterns {
                batch: 0,
                episodes: briefs(3),
                credits: Vec::new(),
                what_ifs: Vec::new(),
                base_rates: Vec::new(),
                rules: Vec::new(),
                method: Default::default(),
                is_dreamt: true,
            },
            json!({
                "keep": [name(0)], "forget": [name(2)], "contradictory": [{ "one": name(0), "other": name(1) }],
                "findings": [finding]
            }),
        ),
        (
            Task::Anticipate {
                prospects: vec![Prospect {
                    hypothesis: "it turns".into(),
                    regime: Regime::Volatile,
                    best_response: Some((Strategy::Momentum, 0.3)),
                    known_from: briefs(2).iter().map(|brief| brief.id).collect(),
                    confidence: 0.6,
                    breaking: 0,
                }],
                standing: Box::new(standing()),
            },
            json!({ "findings": [finding], "guards": [guard] }),
        ),
        (
            Task::Counterfactual { episode, branch: Branch::StayingOut },
            json!({ "outcome_r": 0.0, "confidence": 0.5, "lesson": null }),
        ),
        (
            Task::Imagine {
                mode: CreativeMode::Combinational,
                seeds: briefs(2),
                rule: None,
                situation: None,
            },
            json!({ "findings": [finding] }),
        ),
        (
            Task::Threaten { kind: ThreatKind::FlashCrash, episodes: briefs(3) },
            json!({ "loss_r": 1.5, "responses": [finding, guard] }),
        ),
        (
            Task::Reappraise { episodes: briefs(2) },
            json!({ "told_apart": [{ "episode": name(1), "what_happened": "It cost a quarter." }] }),
        ),
        (
            Task::Consolidate { patterns: patterns() },
            json!({ "worth_testing": [{ "findings": [2, 1], "expected_r": 0.3 }] }),
        ),
        (Task::Recrystallise { patterns: patterns() }, json!({ "keep": 2 })),
        (Task::Read, json!({ "stances": [{ "strategy": "breakout", "market": null, "strength": -0.5 }] })),
        (
            Task::Appraise(happening()),
            json!({ "pleasure": -0.4, "arousal": 0.5, "dominance": 0.0, "strength": 0.7 }),
        ),
        (
            Task::Reflect { themes: themes() },
            json!({ "reflections": [{ "theme": 2, "worth_r": -0.2, "meaning": "It costs." }] }),
        ),
    ]
}

fn said(text: impl Into<String>) -> CallReply {
    let text = text.into();
    CallReply { text, finish: FinishReason::Stop, input_tokens: 9, output_tokens: 5, model: "small".into() }
}

fn tier() -> crate::llm::TierConfig {
    LlmConfig::default().tier(Tier::T1)
}

#[test]
fn every_task_has_a_reply_that_can_be_read() {
    let all = tasks();
    for (task, reply) in &all {
        let found = read(task, &tier(), &said(reply.to_string()));
        let found = found.unwrap_or_else(|why| panic!("{}: {why}", task.name()));
        assert_eq!(found.name(), task.name());
        // Servers that can't constrain sampling put words and fences around.
        let fenced = read(task, &tier(), &said(format!("Sure!\n```json\n{reply}\n```\n"))).unwrap();
        assert_eq!(found, fenced);
    }
    let names: Vec<_> = all.iter().map(|(task, _)| task.name()).collect();
    assert_eq!(names.len(), 13, "{names:?}");
}

/// Strict structured outputs: every object closed, every property required, nothing by reference, no words.
#[test]
fn forms_are_strict() {
    fn check(schema: &Value, at: &str) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| check(item, at)),
            Value::Object(object) => {
                for unknown in ["$ref", "oneOf", "format", "description", "title", "default"] {
                    // Of properties, the names are a reply's own.
                    assert!(at.ends_with("properties") || !object.contains_key(unknown), "{at}: {unknown}");
                }
                if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                    let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
                    assert_eq!(object["required"], Value::Array(names), "{at}");
                    assert_eq!(object["additionalProperties"], json!(false), "{at}");
                }
                object.iter().for_each(|(key, value)| check(value, &format!("{at}/{key}")));
            }
            _ => (),
        }
    }
    for (task, _) in tasks() {
        let (name, schema) = form_of(&task, 5, true);
        check(&schema, name);
        let text = schema.to_string();
        if let Task::FindPatterns { episodes, .. } = &task {
            assert!(text.contains(&format!("\"{}\"", episodes[2].id)), "{text}");
            assert!(text.contains("trending_up") && text.contains("\"wild\""), "{text}");
            let (asked, unasked) = (form_of(&task, 5, true).1, form_of(&task, 5, false).1);
            for field in ["keep", "forget", "contradictory"] {
                assert!(
                    asked["properties"].get(field).is_some() && unasked["properties"].get(field).is_none()
                );
            }
            // Nothing was traced back, and nothing made worse.
            assert!(
                asked["properties"].get("turned_on").is_none() && asked["properties"].get("guards").is_none()
            );
        }
    }
}

/// A name that isn't there, a number that can't be, too many or too few of something, another form: each has its error in words.
#[test]
fn impossible_replies_are_refused() {
    let all = tasks();
    let of = |name: &str| all.iter().find(|(task, _)| task.name() == name).unwrap().clone();
    let refused = |name: &str, change: &dyn Fn(&mut Value), text: &str| {
        let (task, mut reply) = of(name);
        change(&mut reply);
        let why = read(&task, &tier(), &said(reply.to_string())).unwrap_err();
        assert!(why.to_string().contains(text), "{name}: {why}");
    };
    let set = |pointer: &'static str, value: Value| {
        move |reply: &mut Value| *reply.pointer_mut(pointer).expect("it is there") = value.clone()
    };
    refused("find_patterns", &set("/findings/0/from/0", json!("L9.G9.E9")), "there is no episode `L9.G9.E9`");
    refused("find_patterns", &set("/findings/0/from", json!([])), "from is empty");
    refused(
        "find_patterns",
        &set("/findings/0/expected_r", json!(1_000_000)),
        "expected_r is 1000000: from -10 to 10",
    );
    refused("find_patterns", &set("/findings/0/strategy", json!("luck")), "unknown variant `luck`");
    refused("find_patterns", &set("/keep/0", json!("L9.G9.E9")), "there is no episode `L9.G9.E9`");
    let pairs = json!(vec![json!({ "one": briefs(1)[0].id.to_string(), "other": "L9.G9.E9" }); 1]);
    refused("find_patterns", &set("/contradictory", pairs), "there is no episode `L9.G9.E9`");
    refused(
        "reappraise",
        &set("/told_apart/0/what_happened", json!("o".repeat(301))),
        "301 characters: at most 300",
    );
    let guards = |reply: &mut Value| reply["guards"] = json!(vec![reply["guards"][0].clone(); 4]);
    refused("anticipate", &guards, "guards has 4 entries: at most 3");
    let many = |reply: &mut Value| {
        let one = reply["findings"][0].clone();
        reply["findings"] = json!(vec![one; 6]);
    };
    refused("find_patterns", &many, "findings has 6 entries: at most 5");
    refused("observe", &set("/scores", json!([0.1, 0.2])), "2 numbers for 1 thoughts");
    refused("observe", &set("/scores/0", json!(1.5)), "from 0 to 1");
    refused("dissolve", &set("/thought/action", json!(briefs(1)[0].id.to_string())), "different memories");
    refused("consolidate", &set("/worth_testing/0/findings", json!([1, 1])), "finding 1 is used twice");
    refused("consolidate", &set("/worth_testing/0/findings", json!([])), "a group has no findings");
    refused("recrystallise", &set("/keep", json!(3)), "there is no finding 3: they are 1 to 2");
    refused("recrystallise", &set("/keep", json!(0)), "there is no finding 0");
    refused("threaten", &set("/loss_r", json!(-1)), "loss_r is -1");
    let responses = |reply: &mut Value| reply["responses"] = json!(vec![reply["responses"][0].clone(); 4]);
    refused("threaten", &responses, "responses has 4 entries: at most 3");
    refused("read", &set("/stances/0/strength", json!(2)), "strength is 2");
    refused("appraise", &set("/pleasure", json!(-1.5)), "pleasure is -1.5: from -1 to 1");
    refused("appraise", &set("/strength", json!(-0.1)), "strength is -0.1: from 0 to 1");
    refused("reflect", &set("/reflections/0/theme", json!(3)), "there is no theme 3: they are 1 to 2");
    refused("reflect", &set("/reflections/0/theme", json!(0)), "there is no theme 0");
    refused("reflect", &set("/reflections/0/worth_r", json!(11)), "worth_r is 11");
    refused("reflect", &set("/reflections/0/meaning", json!("o".repeat(301))), "301 characters");
    let twice = |reply: &mut Value| {
        let one = reply["reflections"][0].clone();
        reply["reflections"] = json!([one, one]);
    };
    refused("reflect", &twice, "theme 2 is named twice");
    let (task, reply) = of("read");
    let cut = CallReply { finish: FinishReason::Length, output_tokens: 77, ..said(reply.to_string()) };
    assert_eq!(read(&task, &tier(), &cut), Err(Unreadable::CutOff(77)));
    for text in ["", "{", "I can't.", "{\"stances\": 3}", "{} {}", "[]", "{\"stances\": [], \"more\": 1}"] {
        let why = read(&task, &tier(), &said(text)).unwrap_err();
        assert!(matches!(why, Unreadable::Form(_)), "{text}: {why}");
    }
}

/// Momentum's two findings become one, from all three episodes, worth what the model says; a stance comes out as it was said.
#[test]
fn replies_mean_what_they_say() {
    let all = tasks();
    let said_of = |name: &str| {
        let (task, reply) = all.iter().find(|(task, _)| task.name() == name).unwrap();
        read(task, &tier(), &said(reply.to_string())).unwrap()
    };
    let Reply::Consolidated(merged) = said_of("consolidate") else { panic!() };
    assert_eq!((merged[0].claim.expected_r, merged[0].learned_from.len()), (0.3, 3));
    let expected = Stance { strategy: Strategy::Breakout, regime: None, strength: -0.5 };
    assert_eq!(said_of("read"), Reply::Stances(vec![expected]));
    assert_eq!(said_of("appraise"), Reply::Appraised { pad: Pad::new(-0.4, 0.5, 0.0), intensity: 0.7 });
    assert_eq!(said_of("reflect"), Reply::Reflected(vec![(1, -0.2)]));
    let Reply::Fragment(Some(found)) = said_of("dissolve") else { panic!() };
    assert_eq!(found.claim.expected_r, 0.5 * briefs(3)[2].realised_r);
    let Reply::KeptInMind(Some(claim)) = said_of("recrystallise") else { panic!() };
    assert_eq!(claim, patterns()[1].claim);
}

/// A model is asked step by step what a happening means to it, and isn't shown the appraisal of the rule table.
#[test]
fn feelings_are_asked_for_and_not_suggested() {
    let config = LlmConfig { mode: LlmMode::Record, model: "small".into(), ..LlmConfig::default() };
    let prompt = |task: Task| {
        let dream = DreamId { golem: morta_base::GolemId::founder(0), number: 0 };
        let max_output_tokens = task.max_output_tokens();
        let (tier, temperature) = (Tier::T0, 0.4);
        let request = InferenceRequest { task, briefing: None, tier, temperature, max_output_tokens, dream };
        ask(&request, &config, 7).messages[1].content.clone()
    };
    let felt = prompt(Task::Appraise(happening()));
    for part in [
        "a trade lost 12.0 per cent of what was put into it",
        "pleasure +0.10",
        "4. What can you do about it",
        "\"strength\": number",
    ] {
        assert!(felt.contains(part), "{part}\n{felt}");
    }
    let mut brief = happening();
    brief.by_rule.pad = Pad::new(0.9, 0.9, 0.9);
    assert_eq!(prompt(Task::Appraise(brief)), felt);
    let themes = prompt(Task::Reflect { themes: themes() });
    assert!(
        themes.contains("2. volatile: in 4 memories, strength 0.80; 3 trades, -0.30 R on average"),
        "{themes}"
    );
}

/// The questions of the specs stand in the prompt, with the form; a second call has the first reply and what is wrong with it.
#[test]
fn a_prompt_has_questions_and_form() {
    let config = LlmConfig { mode: LlmMode::Record, model: "small".into(), ..LlmConfig::default() };
    let (task, _) = tasks().remove(2);
    let dream = DreamId { golem: morta_base::GolemId::founder(0), number: 0 };
    let max_output_tokens = task.max_output_tokens();
    let request = InferenceRequest {
        task,
        briefing: Some("I remember.".into()),
        tier: Tier::T0,
        temperature: 0.4,
        max_output_tokens,
        dream,
    };
    let call = ask(&request, &config, 7);
    let prompt = &call.messages[1].content;
    for part in [
        "I remember.\n",
        "5. Which contradict each other? (contradictory)",
        "{\"keep\": [",
        "\"expected_r\": number",
    ] {
        assert!(prompt.contains(part), "{part}\n{prompt}");
    }
    // (150 + 60) · 4, and 150 · 4 where findings are all that is asked for.
    assert_eq!((call.max_tokens, call.seed), (840, 7));
    let silent = ask(&request, &LlmConfig { answer_questions: false, ..config }, 7);
    assert!(silent.messages[1].content.contains("Think these through first:\n1. "));
    assert!(!silent.messages[1].content.contains("keep"));
    assert_eq!(silent.max_tokens, 600);
    let again = ask_again(&call, &said("Hm."), &Unreadable::CutOff(3));
    assert_eq!(again.messages.len(), 4);
    assert_eq!(again.messages[2].content, "Hm.");
    assert!(again.messages[3].content.contains("cut off after 3 tokens"));
    assert!(call.most_input_tokens() > call.messages.iter().map(|m| m.content.len() as u64).sum());
}

fn call_of(task: Task, config: &LlmConfig) -> super::Call {
    let dream = DreamId { golem: morta_base::GolemId::founder(0), number: 0 };
    let max_output_tokens = task.max_output_tokens();
    let (tier, temperature) = (Tier::T0, 0.4);
    ask(&InferenceRequest { task, briefing: None, tier, temperature, max_output_tokens, dream }, config, 7)
}

fn real() -> LlmConfig {
    LlmConfig { mode: LlmMode::Record, model: "small".into(), ..LlmConfig::default() }
}

/// A batch with a chain that is traced back and something made worse: everything that replay asks for.
fn traced_batch() -> Task {
    let Task::FindPatterns { mut episodes, batch, base_rates, method, .. } = tasks().remove(2).0 else {
        unreachable!()
    };
    episodes[0].arousal = 0.6;
    let id = episodes[0].id;
    let step = |kind, tick, r| DecisionStep { kind, tick, r };
    let chain = vec![
        step(StepKind::Exit, 31, -0.5),
        step(StepKind::Hold, 24, 0.3),
        step(StepKind::Entry, 12, 0.0),
        step(StepKind::Analysis, 11, 0.2),
    ];
    let pivotal = Some((StepKind::Hold, 0.73));
    let credits = vec![CreditBrief { episode: id, chain, pivotal, entry_share: 0.27 }];
    let what_ifs =
        vec![WhatIf { episode: id, change: "2.0 times the gas".into(), perturbed_r: -0.7, broken: 1.0 }];
    let rules = vec![patterns()[0].claim];
    Task::FindPatterns { batch, episodes, credits, what_ifs, base_rates, rules, method, is_dreamt: true }
}

/// A batch has what batch replay lists (when, market, action, outcome, money, surprise, feeling), its traced outcome the chain of decisions
/// from the end back, and each question the field its answer goes into. This is the whole prompt.
#[test]
fn a_batch_is_shown_with_its_chain() {
    let call = call_of(traced_batch(), &real());
    let shown = &call.messages[1].content;
    let expected = include_str!("batch_prompt.txt");
    assert_eq!(shown, expected, "the prompt is now:\n{shown}");
    // In a life's review nothing is sorted, and nothing but findings is asked for.
    let Task::FindPatterns { batch, episodes, credits, what_ifs, base_rates, rules, method, .. } =
        traced_batch()
    else {
        unreachable!()
    };
    let reviewed = Task::FindPatterns {
        batch,
        episodes,
        credits,
        what_ifs,
        base_rates,
        rules,
        method,
        is_dreamt: false,
    };
    let shown = call_of(reviewed, &real()).messages[1].content.clone();
    assert!(!["keep", "turned_on", "guards"].iter().any(|field| shown.contains(field)), "{shown}");
}

/// The morning is played through from where the golem stands: market, what is open, the rules, and episodes like it.
#[test]
fn a_morning_is_shown_with_where_the_golem_stands() {
    let call = call_of(tasks().remove(3).0, &real());
    let shown = &call.messages[1].content;
    let expected = include_str!("morning_prompt.txt");
    assert_eq!(shown, expected, "the prompt is now:\n{shown}");
}

/// Who is to tell fact from feeling is shown the feeling; where golems feel nothing, no word of it is paid for.
#[test]
fn a_feeling_is_shown_where_there_is_one() {
    let mut episodes = briefs(2);
    (episodes[0].arousal, episodes[1].arousal) = (0.7, 0.0);
    let shown = call_of(Task::Reappraise { episodes }, &real()).messages[1].content.clone();
    assert_eq!(shown.matches(", felt 0.7").count(), 1, "{shown}");
    assert_eq!(shown.matches(", felt ").count(), 1, "{shown}");
}

/// Eighty tokens at the edge of sleep, for a real model too; what is cut off there is gone and isn't asked for again.
#[test]
fn thoughts_at_the_edge_of_sleep_break_off() {
    let (task, _) = tasks().remove(0);
    assert_eq!(call_of(task.clone(), &real()).max_tokens, 80);
    let cut = CallReply { finish: FinishReason::Length, output_tokens: 80, ..said("{\"thought\": {\"pl") };
    assert_eq!(read(&task, &tier(), &cut), Ok(Reply::Fragment(None)));
}

/// What is said beside findings is read; a step that the chain doesn't have, an episode against itself and a guard against a gain are left
/// out, and the findings stay.
#[test]
fn answers_beside_findings_are_read() {
    let task = traced_batch();
    let name = |n: usize| briefs(3)[n].id.to_string();
    let (_, mut reply) = tasks().remove(2);
    let finding = reply["findings"][0].clone();
    let mut guard = finding.clone();
    guard["expected_r"] = json!(-1.5);
    reply["turned_on"] = json!([
        { "episode": name(0), "step": "entry" }, { "episode": name(1), "step": "exit" }
    ]);
    reply["guards"] = json!([guard, finding]);
    reply["contradictory"] = json!([
        { "one": name(0), "other": name(1) }, { "one": name(2), "other": name(2) }
    ]);
    let read = read(&task, &tier(), &said(reply.to_string())).unwrap();
    let Reply::Patterns { patterns, answers, .. } = read else { panic!("{read:?}") };
    let id = |n: usize| briefs(3)[n].id;
    assert_eq!(patterns.len(), 1);
    assert_eq!((&answers.keep[..], &answers.forget[..]), (&[id(0)][..], &[id(2)][..]));
    assert_eq!(answers.turned_on, [(id(0), StepKind::Entry)]);
    assert_eq!(answers.contradictory, Some(vec![(id(0), id(1))]));
    assert_eq!(answers.guards.len(), 1);
    assert_eq!(answers.guards[0].claim.expected_r, -1.5);
}
