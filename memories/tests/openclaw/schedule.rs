use morta_memories::openclaw::schedule::check_cron;

#[test]
fn what_is_no_schedule_says_so() {
    for bad in ["", "0 3 * *", "0 0 3 * * *", "61 3 * * *", "0 3 * * mon-never"] {
        let error = check_cron(bad).unwrap_err().to_string();
        assert!(error.contains("weekday (0 is Sunday)"), "{error}");
    }
}
