//! What it costs to find the 64 episodes most worth a replay, by the whole utility (every term, boosts, spacing, the least utility),
//! against reading the same bytes, against rows scored as the replay spec prints it and sorted, and against working out all
//! utilities by columns. Rounds are interleaved, so that a noisy neighbour disturbs all alike; medians, with quartiles.
//!
//! `cargo bench --bench scoring`; `cargo bench --bench scoring -- --quick` for 1,000 and 10,000 episodes alone;
//! `-- look COUNT DIMENSIONS` finds the best of one Grimoire for some seconds, for a profiler.
#![allow(clippy::print_stdout, reason = "figures are what a benchmark is run for")]

use morta_base::{EpisodeId, GolemId, Purpose, Stream, Usdc, WorldSeed};
use morta_engine::episode::{Context, DreamPriority, Episode, Grimoire, GrimoireConfig, Provenance};
use morta_engine::market::{Regime, Strategy};
use morta_engine::replay::{NeedWeights, PadBias, Ranked, ReplayConfig, ReplayContext, ReplayMode, Scorer};
use pulp::Simd;
use std::hint::black_box;
use std::time::Instant;

mod rows;

const BEST: usize = 64;
const NOW: u64 = 100_000;
/// What the pass has of every episode: three gains, two moments, marks, the length of the embedding.
const COLUMN_BYTES: usize = 7 * 4;

fn market(dimensions: usize, stream: &mut Stream) -> Box<[f32]> {
    // Markets have something in common, so likeness isn't that of random directions.
    (0..dimensions).map(|_| 0.5 + stream.normal() as f32).collect()
}

fn episode(number: u32, dimensions: usize, stream: &mut Stream) -> Episode {
    let closed = u64::from(number) % NOW;
    Episode {
        provenance: if stream.below(10) == 0 {
            Provenance::Predecessor(GolemId::founder(1))
        } else {
            Provenance::Own
        },
        opened: closed.saturating_sub(5),
        strategy: Strategy::ALL[stream.below(Strategy::COUNT)],
        context: Context::neutral(Regime::ALL[stream.below(Regime::COUNT)]),
        stake: Usdc::from_dollars(10.0),
        pnl: Usdc::from_dollars(0.1),
        expected_r: 0.1,
        realised_r: stream.normal(),
        surprise: stream.normal().abs(),
        significance: (stream.normal() * stream.normal()).abs(),
        regret: stream.normal().max(0.0),
        arousal: stream.uniform(),
        embedding: market(dimensions, stream),
        ..Episode::neutral(EpisodeId { golem: GolemId::founder(0), number }, closed)
    }
}

fn grimoire(count: usize, dimensions: usize) -> Grimoire {
    let mut stream = WorldSeed(6).world(Purpose::Dream, dimensions as u32, 0);
    let config = GrimoireConfig { capacity: count as u32, ..GrimoireConfig::default() };
    let mut grimoire = Grimoire::new(config, dimensions as u32);
    for number in 0..count as u32 {
        let lived = episode(number, dimensions, &mut stream);
        let replays = [0, 0, 1, 3][stream.below(4)];
        let last = (replays > 0).then(|| NOW - stream.below(20_000) as u64);
        let tagged = stream.below(50) == 0;
        let priority = if tagged { DreamPriority::High } else { DreamPriority::Normal };
        grimoire.restore(lived, last, replays, priority);
    }
    grimoire
}

/// Reads everything once, with the widest vectors and as many of them at once as there are names for.
struct Read<'a>(&'a [f32]);

impl pulp::WithSimd for Read<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (vectors, _) = S::as_simd_f32s(self.0);
        let mut sums = [simd.splat_f32s(0.0); 8];
        for eight in vectors.as_chunks::<8>().0 {
            for (sum, vector) in sums.iter_mut().zip(eight) {
                *sum = simd.add_f32s(*sum, *vector);
            }
        }
        let total = sums[1..].iter().fold(sums[0], |total, sum| simd.add_f32s(total, *sum));
        simd.reduce_sum_f32s(total)
    }
}

/// A way to do the work, and its times in nanoseconds an episode.
struct Way<'a> {
    name: String,
    work: Box<dyn Fn() + 'a>,
    times: Vec<f64>,
}

impl<'a> Way<'a> {
    fn new(name: impl Into<String>, work: impl Fn() + 'a) -> Self {
        Self { name: name.into(), work: Box::new(work), times: Vec::new() }
    }

    fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.times.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[(share * (sorted.len() - 1) as f64).round() as usize]
    }
}

fn interleave(ways: &mut [Way<'_>], episodes: usize, rounds: usize) {
    // Short work is repeated within a round, or the clock is measured.
    let repeats = (20_000 / episodes).max(1);
    for _ in 0..rounds {
        for way in &mut *ways {
            let begun = Instant::now();
            (0..repeats).for_each(|_| (way.work)());
            way.times.push(begun.elapsed().as_secs_f64() * 1e9 / (episodes * repeats) as f64);
        }
    }
}

fn halves(scorer: &Scorer<'_>, count: usize) -> Vec<Ranked> {
    let parts = std::thread::scope(|scope| {
        let other = scope.spawn(|| scorer.best_within(0..count / 2, BEST));
        let own = scorer.best_within(count / 2..count, BEST);
        [own, other.join().expect("scoring doesn't panic")]
    });
    scorer.merge(parts, BEST)
}

fn situation(embedding: &[f32]) -> ReplayContext<'_> {
    ReplayContext {
        tick: NOW,
        embedding,
        regime: Regime::TrendingUp,
        pad_bias: None,
        affect: true,
        mode: ReplayMode::Normal,
        legacy: 0.0,
    }
}

fn measure(count: usize, dimensions: usize) {
    let grimoire = grimoire(count, dimensions);
    let embedding = market(dimensions, &mut WorldSeed(7).world(Purpose::Dream, 0, 0));
    let context = situation(&embedding);
    let moody = ReplayContext { pad_bias: Some(PadBias::Disdainful), legacy: 0.5, ..context };
    let config = ReplayConfig::default();
    // Nothing tells episodes apart but likeness, so every embedding is read.
    let mut alike = ReplayConfig {
        need_weights: NeedWeights { similarity: 1.0, regime: 0.0, recency: 0.0 },
        bloodstain_boost: 1.0,
        curator_boost: 1.0,
        curator_boost_medium: 1.0,
        replay_decay: 1.0,
        spacing_weight: 0.0,
        normalization_quantile: 1e-9,
        ..ReplayConfig::default()
    };
    (alike.gain_weights.surprise, alike.gain_weights.significance, alike.gain_weights.regret) =
        (1.0, 1.0, 1.0);
    let (scorer, moody, alike) = (
        Scorer::new(&grimoire, &context, &config),
        Scorer::new(&grimoire, &moody, &config),
        Scorer::new(&grimoire, &context, &alike),
    );
    let bytes = COLUMN_BYTES + dimensions * 4;
    let buffer = vec![1.0_f32; count * bytes / 4];
    let arch = pulp::Arch::new();
    let read = |part: &[f32]| {
        black_box(arch.dispatch(Read(part)));
    };
    let rows = rows::Rows::of(&grimoire);
    assert_eq!(halves(&scorer, count), scorer.best(BEST), "threads change nothing");

    let mut ways = vec![
        Way::new("read all bytes", || read(&buffer)),
        Way::new("best 64", || drop(black_box(Scorer::new(&grimoire, &context, &config).best(BEST)))),
        Way::new("best 64, with a mood and half turned to legacy", || drop(black_box(moody.best(BEST)))),
        Way::new("best 64, every embedding read", || drop(black_box(alike.best(BEST)))),
        Way::new("all utilities by columns", || drop(black_box(scorer.utilities()))),
    ];
    if count >= 100_000 {
        ways.push(Way::new("read all bytes, two threads", || {
            let (one, two) = buffer.split_at(buffer.len() / 2);
            std::thread::scope(|scope| {
                scope.spawn(|| read(one));
                read(two);
            });
        }));
        ways.push(Way::new("best 64, two threads", || drop(black_box(halves(&scorer, count)))));
        ways.push(Way::new("best 64, every embedding read, two threads", || {
            drop(black_box(halves(&alike, count)));
        }));
    }
    interleave(&mut ways, count, (20_000_000 / count).clamp(15, 301));
    // Slow, so not in the same rounds; the pass is measured again beside it.
    let mut slow = vec![
        Way::new("rows as the spec prints it, sorted", || drop(black_box(rows.best(&context, BEST)))),
        Way::new("best 64 beside rows", || {
            drop(black_box(Scorer::new(&grimoire, &context, &config).best(BEST)))
        }),
    ];
    interleave(&mut slow, count, (5_000_000 / count).clamp(5, 51));
    tell(count, dimensions, bytes, &ways, &slow);
}

/// Nothing but the work, over and over.
fn look(count: usize, dimensions: usize) {
    let grimoire = grimoire(count, dimensions);
    let embedding = market(dimensions, &mut WorldSeed(7).world(Purpose::Dream, 0, 0));
    let (context, config) = (situation(&embedding), ReplayConfig::default());
    let (begun, mut times) = (Instant::now(), 0_u32);
    while begun.elapsed().as_secs() < 4 {
        (0..100).for_each(|_| drop(black_box(Scorer::new(&grimoire, &context, &config).best(BEST))));
        times += 100;
    }
    println!("{:.2} us", begun.elapsed().as_secs_f64() * 1e6 / f64::from(times));
}

fn tell(count: usize, dimensions: usize, bytes: usize, ways: &[Way<'_>], slow: &[Way<'_>]) {
    println!("{count} episodes, {dimensions} dimensions, {bytes} bytes an episode");
    let one = ways[0].quantile(0.5);
    let two = ways.iter().find(|way| way.name == "read all bytes, two threads").map(|way| way.quantile(0.5));
    for way in ways.iter().chain(slow) {
        let median = way.quantile(0.5);
        let limit = if way.name.ends_with("two threads") { two.unwrap_or(one) } else { one };
        println!(
            "  {:<48} {:>8.2} ns an episode ({:.2} to {:.2}), {:>9.1} us in all, {:.2} of reading",
            way.name,
            median,
            way.quantile(0.25),
            way.quantile(0.75),
            median * count as f64 / 1e3,
            limit / median,
        );
    }
    println!("  {:.1} times rows", slow[0].quantile(0.5) / slow[1].quantile(0.5));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["look", numbers @ ..] = words.as_slice() {
        let numbers: Vec<usize> = numbers.iter().map(|word| word.parse().expect("a whole number")).collect();
        let [count, dimensions] = numbers[..] else { panic!("look takes COUNT and DIMENSIONS") };
        return look(count, dimensions);
    }
    let counts: &[usize] =
        if words.contains(&"--quick") { &[1_000, 10_000] } else { &[1_000, 10_000, 100_000, 1_000_000] };
    for dimensions in [32, 64] {
        counts.iter().for_each(|&count| measure(count, dimensions));
    }
}
