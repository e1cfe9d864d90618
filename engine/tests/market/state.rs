use crate::common::market::walk;
use morta_base::math::exp;
use morta_base::{Digest, GolemId, LetterId, Purpose, Usdc, WorldSeed};
use morta_engine::market::{
    AssetConfig, AssetIndex, AssetSource, Fill, Impact, MarketConfig, MarketError, MarketState, MarketView,
    Order, OrderKind, OrderRefusal, PositionSide, RecordingConfig, ScheduledShock, ShockKind,
    SyntheticConfig, fill_price_taker,
};
use proptest::prelude::*;

fn config(impact: Impact) -> MarketConfig {
    let asset = |symbol: &str| AssetConfig {
        symbol: symbol.to_owned(),
        source: AssetSource::Synthetic(SyntheticConfig::default()),
    };
    MarketConfig { impact, assets: vec![asset("A"), asset("B")], warmup_ticks: 70, ..MarketConfig::default() }
}

fn replay_config() -> MarketConfig {
    let replay = RecordingConfig { file: "bars".to_owned(), start: None, end: None };
    let mut config = config(Impact::PriceTaker);
    config.assets[0].source = AssetSource::Replay(replay);
    config
}

fn market(config: &MarketConfig) -> MarketState {
    MarketState::new(config, WorldSeed(17), Vec::new()).unwrap()
}

fn letter(number: u32) -> LetterId {
    LetterId { golem: GolemId::founder(0), number }
}

/// Opens and closes at random, as golems would; some orders make no sense. Checks conservation at every tick.
struct RandomGolem {
    open: Vec<Fill>,
    letters: u32,
}

impl RandomGolem {
    fn orders(&mut self, tick: u64, luck: u64) -> Vec<(LetterId, Order)> {
        let mut stream = WorldSeed(luck).world(Purpose::Choice, 0, tick);
        let mut orders = Vec::new();
        for _ in 0..stream.below(4) {
            let side = [PositionSide::Long, PositionSide::Short, PositionSide::Liquidity][stream.below(3)];
            let order = if stream.chance(0.45) && !self.open.is_empty() {
                let fill = self.open.swap_remove(stream.below(self.open.len()));
                let OrderKind::Open { stake, loan } = fill.order.kind else { unreachable!() };
                let Fill { quantity, proceeds, fee_growth, .. } = fill;
                let charges = loan.scaled(stream.between(0.0, 0.1));
                let kind = OrderKind::Close { stake, loan, quantity, proceeds, fee_growth, charges };
                Order { kind, ..fill.order }
            } else {
                let dollars = exp(stream.between(-14.0, 15.0)) - 0.001;
                let stake = Usdc::from_dollars(dollars);
                let loan =
                    if stream.chance(0.5) { stake.scaled(stream.between(-0.1, 20.0)) } else { Usdc::ZERO };
                let kind = OrderKind::Open { stake, loan };
                Order { asset: stream.below(3) as AssetIndex, side, kind }
            };
            orders.push((letter(self.letters), order));
            self.letters += 1;
        }
        orders
    }

    fn paid_in(&mut self, fills: &[(LetterId, Fill)]) -> Usdc {
        let mut paid = Usdc::ZERO;
        for (_, fill) in fills {
            paid += fill.gas - fill.cash_back;
            assert!(fill.cash_back.0 >= 0);
            assert!(fill.repaid.0 >= 0 && fill.uncovered.0 >= 0);
            if let OrderKind::Open { stake, .. } = fill.order.kind {
                paid += stake;
                self.open.push(*fill);
            }
        }
        paid
    }
}

fn finite(view: &MarketView) -> bool {
    view.assets.iter().all(|a| {
        let signals = a.signals.iter().all(|s| {
            s.strength.abs() <= 1.0 && s.stop_distance > 0.0 && s.stop_distance <= 1.0 && s.horizon_ticks >= 1
        });
        let plain = [a.pool_price, a.oracle_price, a.depth_usdc, a.volatility, a.atr, a.volatility_ratio];
        signals
            && a.embedding.iter().all(|x| x.abs() <= 4.0)
            && plain.iter().all(|x| x.is_finite() && *x > 0.0)
            && [a.trend_strength, a.log_return, a.fee_growth, a.half_spread].iter().all(|x| x.is_finite())
            && (1..=5).contains(&a.volatility_quintile)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_dollar_is_accounted_for(luck in any::<u64>(), endogenous in any::<bool>()) {
        let config = config(if endogenous { Impact::Endogenous } else { Impact::PriceTaker });
        let mut market = market(&config);
        let mut golem = RandomGolem { open: Vec::new(), letters: 0 };
        prop_assert_eq!(market.ledger().total(), Usdc::ZERO);
        let mut paid_in = Usdc::ZERO;
        for tick in 0..60 {
            let step = market.step(&golem.orders(tick, luck));
            paid_in += golem.paid_in(&step.fills);
            let ledger = market.ledger();
            prop_assert_eq!(ledger.total(), paid_in, "luck {} tick {}", luck, tick);
            prop_assert_eq!(ledger.pools, market.money_in_pools());
            prop_assert!(ledger.escrow.0 >= 0);
            prop_assert!(finite(market.view()), "luck {luck} tick {tick}: {:?}", market.view());
        }
    }

    #[test]
    fn views_are_finite_whatever_the_settings(
        seed in any::<u64>(),
        volatility in 1e-6..0.2_f64,
        fee_bps in 0.0..1_000.0_f64,
        warmup_ticks in 0..4_u32,
        magnitude in 0.0..10.0_f64,
        rate in 0.0..0.2_f64,
    ) {
        let mut config = config(Impact::Endogenous);
        let AssetSource::Synthetic(synthetic) = &mut config.assets[0].source else { unreachable!() };
        synthetic.volatility = volatility;
        config.pool.fee_bps = fee_bps;
        config.warmup_ticks = warmup_ticks;
        config.embedding_dimensions = 64;
        config.shocks.magnitude = magnitude;
        config.shocks.rates.liquidity_crisis = rate;
        config.shocks.rates.cascading_liquidation = rate;
        config.shocks.rates.oracle_deviation = rate;
        config.shocks.rates.gas_spike = rate;
        let mut market = MarketState::new(&config, WorldSeed(seed), Vec::new()).unwrap();
        for tick in 0..80 {
            prop_assert!(finite(market.view()), "seed {seed} tick {tick}: {:?}", market.view());
            market.step(&[]);
        }
    }
}

#[test]
fn the_same_world_is_the_same_bytes_and_survives_a_checkpoint() {
    let config = config(Impact::Endogenous);
    let mut straight = market(&config);
    let mut resumed = market(&config);
    let mut golems = [0, 1].map(|_| RandomGolem { open: Vec::new(), letters: 0 });
    for tick in 0..100 {
        if tick == 50 {
            let bytes = postcard::to_stdvec(&resumed).unwrap();
            resumed = postcard::from_bytes(&bytes).unwrap();
        }
        let steps = [straight.step(&golems[0].orders(tick, 3)), resumed.step(&golems[1].orders(tick, 3))];
        golems[0].paid_in(&steps[0].fills);
        golems[1].paid_in(&steps[1].fills);
        assert_eq!(steps[0], steps[1], "tick {tick}");
    }
    assert_eq!(postcard::to_stdvec(&straight).unwrap(), postcard::to_stdvec(&resumed).unwrap());
}

#[test]
fn golems_never_move_what_is_exogenous() {
    for impact in [Impact::PriceTaker, Impact::Endogenous] {
        let (mut quiet, mut busy) = (market(&config(impact)), market(&config(impact)));
        let mut golem = RandomGolem { open: Vec::new(), letters: 0 };
        for tick in 0..100 {
            let step = busy.step(&golem.orders(tick, 5));
            golem.paid_in(&step.fills);
            quiet.step(&[]);
            assert_eq!(quiet.reference_price(1), busy.reference_price(1));
            assert_eq!(quiet.true_regime(1), busy.true_regime(1));
            assert_eq!(quiet.view().gas, busy.view().gas);
            if impact == Impact::PriceTaker {
                assert_eq!(quiet.view(), busy.view());
            }
        }
        assert_eq!(quiet.view() == busy.view(), impact == Impact::PriceTaker);
    }
}

#[test]
fn shocks_have_consequences() {
    let mut config = config(Impact::PriceTaker);
    config.shocks.scheduled = vec![ScheduledShock {
        tick: 10,
        kinds: vec![ShockKind::LiquidityCrisis, ShockKind::GasSpike, ShockKind::OracleDeviation],
        duration_ticks: 20,
        magnitude: 1.0,
        asset: Some("B".to_owned()),
    }];
    let mut market = market(&config);
    for _ in 0..9 {
        assert!(market.step(&[]).shocks_started.is_empty());
    }
    let before = market.view().clone();
    let step = market.step(&[]);
    assert_eq!((step.shocks_started[0].tick, market.tick()), (10, 10));
    let after = market.view();
    assert!(after.asset(1).depth_usdc < 0.4 * before.asset(1).depth_usdc);
    assert!(after.asset(0).depth_usdc > 0.8 * before.asset(0).depth_usdc);
    assert!(after.gas.dollars() > 4.0 * before.gas.dollars());
    let gap = (after.asset(1).oracle_price / market.reference_price(1).unwrap() - 1.0).abs();
    assert!((0.01..0.02).contains(&gap), "{gap}");
}

/// What a market shows and is worth at its end, as one hash.
fn digest_of(market: &mut MarketState, ticks: u64) -> String {
    let mut digest = Digest::default();
    for _ in 0..ticks {
        digest.record(&market.step(&[]).fills);
        digest.record(market.view());
    }
    digest.hex()
}

#[test]
fn every_primitive_changes_the_world() {
    let replayed = || {
        let mut config = replay_config();
        config.assets[1].source = config.assets[0].source.clone();
        (config, vec![walk(200, 0), walk(200, 0)])
    };
    for (calm, bars) in [(config(Impact::PriceTaker), Vec::new()), replayed()] {
        let run = |kinds: Vec<ShockKind>| {
            let mut config = calm.clone();
            let (duration_ticks, magnitude) = (20, 1.0);
            if !kinds.is_empty() {
                let shock = ScheduledShock { tick: 5, kinds, duration_ticks, magnitude, asset: None };
                config.shocks.scheduled = vec![shock];
            }
            digest_of(&mut MarketState::new(&config, WorldSeed(17), bars.clone()).unwrap(), 40)
        };
        let mut seen = vec![run(Vec::new())];
        for kind in ShockKind::ALL {
            let digest = run(vec![kind]);
            assert!(!seen.contains(&digest), "{kind:?} changes nothing");
            seen.push(digest);
        }
        assert!(!seen.contains(&run(ShockKind::ALL.to_vec())));
    }
}

#[test]
fn a_fill_made_ahead_is_the_fill_the_market_makes() {
    let mut made = market(&config(Impact::PriceTaker));
    let mut golem = RandomGolem { open: Vec::new(), letters: 0 };
    for tick in 0..60 {
        let orders = golem.orders(tick, 8);
        let view = made.view().clone();
        let step = made.step(&orders);
        golem.paid_in(&step.fills);
        for (letter, fill) in &step.fills {
            let ahead = fill_price_taker(view.asset(fill.order.asset), view.gas, &fill.order);
            assert_eq!(ahead, Ok(*fill), "{letter}");
        }
    }
}

/// A short that loses more than its stake and proceeds gives nothing back; the lender bears the rest.
#[test]
fn a_short_never_owes_more_than_it_put_up() {
    let mut config = config(Impact::Endogenous);
    config.shocks.scheduled = vec![ScheduledShock {
        tick: 2,
        kinds: vec![ShockKind::MomentumBreakout],
        duration_ticks: 2_000,
        magnitude: 10.0,
        asset: Some("A".to_owned()),
    }];
    // The direction is luck: find a world in which the price runs up.
    let mut market = (0..20)
        .map(|seed| MarketState::new(&config, WorldSeed(seed), Vec::new()).unwrap())
        .find(|market| {
            let mut trial = market.clone();
            let before = trial.view().asset(0).pool_price;
            (0..300).for_each(|_| drop(trial.step(&[])));
            trial.view().asset(0).pool_price > 4.0 * before
        })
        .expect("half of all worlds run up");
    let stake = Usdc::from_dollars(1_000.0);
    let order =
        Order { asset: 0, side: PositionSide::Short, kind: OrderKind::Open { stake, loan: Usdc::ZERO } };
    let opened = market.step(&[(letter(0), order)]).fills[0].1;
    (0..299).for_each(|_| drop(market.step(&[])));
    let Fill { quantity, proceeds, fee_growth, .. } = opened;
    let close = Order {
        kind: OrderKind::Close {
            stake,
            quantity,
            proceeds,
            fee_growth,
            loan: Usdc::ZERO,
            charges: Usdc::ZERO,
        },
        ..order
    };
    let closed = market.step(&[(letter(1), close)]).fills[0].1;
    assert_eq!(closed.cash_back, Usdc::ZERO);
    assert_eq!(market.ledger().escrow, Usdc::ZERO);
    assert_eq!(market.ledger().total(), stake + opened.gas + closed.gas);
    // There is nothing left in escrow to close a second time.
    assert_eq!(market.step(&[(letter(2), close)]).refusals, [(letter(2), OrderRefusal::NotHeld)]);
}

/// Would change with any change to the market's laws, defaults or order of draws, which changes every run.
#[test]
fn golden_digest() {
    assert_eq!(digest_of(&mut market(&config(Impact::Endogenous)), 200), GOLDEN_DIGEST);
}

const GOLDEN_DIGEST: &str = "c961a4512cb26e1c5d75d46698ac3fb83eace940361c62c7c5fa535643712ae8";

/// Worlds of one recording begin at bars of their own, and go on from there when they are resumed.
#[test]
fn seeds_begin_at_bars_of_their_own() {
    let bars = || vec![walk(200, 0), Vec::new()];
    let config = MarketConfig { start_within_bars: 60, ..replay_config() };
    let firsts: Vec<u64> = (1..=12)
        .map(|seed| {
            let mut market = MarketState::new(&config, WorldSeed(seed), bars()).unwrap();
            let first = market.first_bar();
            assert!(first <= 60);
            assert_eq!(market.ticks_available(), Some(130 - first));
            assert_eq!(market.reference_price(0), Some(bars()[0][70 + first as usize].close));
            let bytes = postcard::to_stdvec(&market).unwrap();
            let mut resumed: MarketState = postcard::from_bytes(&bytes).unwrap();
            resumed.rebind_bars(bars()).unwrap();
            market.step(&[]);
            resumed.step(&[]);
            assert_eq!(market.view(), resumed.view());
            first
        })
        .collect();
    assert!(firsts.iter().any(|first| *first != firsts[0]), "{firsts:?}");
}

#[test]
fn a_replayed_market_lasts_as_long_as_its_bars() {
    let bars = || vec![walk(200, 0), Vec::new()];
    let mut market = MarketState::new(&replay_config(), WorldSeed(1), bars()).unwrap();
    assert_eq!(market.ticks_available(), Some(130));
    assert_eq!(market.view().time_s, 70 * 3_600);
    assert_eq!(market.reference_price(0), Some(bars()[0][70].close));
    market.step(&[]);
    assert_eq!(market.reference_price(0), Some(bars()[0][71].close));

    let bytes = postcard::to_stdvec(&market).unwrap();
    let mut resumed: MarketState = postcard::from_bytes(&bytes).unwrap();
    let other = vec![walk(200, 1), Vec::new()];
    assert_eq!(resumed.rebind_bars(other), Err(MarketError::DifferentBars { asset: 0 }));
    resumed.rebind_bars(bars()).unwrap();
    for _ in 0..140 {
        assert_eq!(resumed.step(&[]), market.step(&[]));
        assert_eq!(resumed.view(), market.view());
    }
    assert_eq!(market.reference_price(0), Some(bars()[0][199].close));
}

#[test]
fn bars_that_do_not_fit_are_refused() {
    let made = |bars| MarketState::new(&replay_config(), WorldSeed(1), bars).unwrap_err().to_string();
    assert!(made(vec![walk(70, 0)]).starts_with("A: 70 bars, but the warm-up alone takes 70"));
    assert!(made(Vec::new()).starts_with("A: 0 bars"));
    let mut both = replay_config();
    both.assets[1].source = both.assets[0].source.clone();
    let mut late = walk(100, 0);
    late[40].open_time_s += 1;
    let error = MarketState::new(&both, WorldSeed(1), vec![walk(100, 0), late]).unwrap_err();
    assert_eq!(error, MarketError::Misaligned { symbol: "B".to_owned(), row: 40 });
}
