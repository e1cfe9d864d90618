use morta_engine::dream::onset::HypnagogiaConfig;
use morta_engine::mortality::Phase;
use morta_engine::replay::Uncertainty;

#[test]
fn the_depth_table() {
    let cycles = |phase, uncertainty| HypnagogiaConfig::default().cycles(phase, uncertainty);
    assert_eq!(cycles(Phase::Thriving, Uncertainty::Low), 3);
    assert_eq!(cycles(Phase::Thriving, Uncertainty::High), 5);
    assert_eq!(cycles(Phase::Stable, Uncertainty::Medium), 2);
    assert_eq!(cycles(Phase::Conservation, Uncertainty::High), 1);
    assert_eq!(cycles(Phase::Declining, Uncertainty::High), 0);
    assert_eq!(cycles(Phase::Terminal, Uncertainty::High), 0);
}
