use morta_base::Usdc;
use morta_engine::dream::account::Account;
use proptest::prelude::*;

proptest! {
    /// Whatever is asked, and whatever it turns out to cost up to the most it can: no phase is exceeded.
    #[test]
    fn a_phase_is_never_exceeded(
        rounds in prop::collection::vec(prop::collection::vec((0_i64..500, 0.0_f64..=1.0), 0..8), 0..8),
        allowance in 0_i64..2_000,
    ) {
        let mut account = Account::default();
        account.begin_phase(Usdc(allowance));
        for round in rounds {
            account.release();
            let asked: Vec<_> =
                round.into_iter().filter(|(most, _)| account.reserve(Usdc(*most), Usdc(allowance))).collect();
            for (most, share) in asked {
                account.book(Usdc(most).scaled(share));
            }
            prop_assert!(account.spent() <= Usdc(allowance));
        }
    }
}
