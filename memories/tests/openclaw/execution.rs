use morta_memories::openclaw::execution::{ExecutionConfig, Speed, Thinking, TokenCosts, Tokens};

#[test]
fn speed_and_thinking_have_their_price() {
    let (costs, balanced) = (TokenCosts::default(), ExecutionConfig::default());
    assert_eq!(costs.tokens(&balanced, 10, 3), Tokens { input: 400, output: 80 });
    assert_eq!(costs.seconds(&balanced), 60.0);
    let deep = ExecutionConfig { thinking: Thinking::High, speed: Speed::Slow, ..balanced };
    assert_eq!((costs.tokens(&deep, 10, 3).output, costs.seconds(&deep)), (230, 300.0));
    let capped = ExecutionConfig { max_output_tokens: Some(100), ..deep };
    assert_eq!(costs.tokens(&capped, 10, 3).output, 100);
    assert_eq!(costs.tokens(&capped, u32::MAX, 3).input, u32::MAX);
}
