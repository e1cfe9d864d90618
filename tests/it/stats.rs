//! `morta stats` on public data, against lifelines 0.30.3, scipy 1.17.1 and statsmodels 0.15.0 (the figures and the script that
//! made them are the engine's, `stats/tests/reference/statistics.py`), and on tables that can't be used.

use crate::common::{Program as _, Text as _, lived, morta, root, written};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const WALTONS: &str = "stats/tests/data/waltons.csv";
const LEUKEMIA: &str = "stats/tests/data/leukemia.csv";

/// `morta stats` with arguments that hold no white space.
fn stats(args: &str) -> Command {
    let mut command = morta();
    command.arg("stats").args(args.split_whitespace());
    command
}

fn told(args: &str) -> Value {
    stats(args).arg("--json").json()
}

/// A table in a room, and its path.
fn table(text: &str) -> (TempDir, String) {
    let (room, file) = written("table.csv", text);
    (room, file.display().to_string())
}

fn close(found: &Value, expected: f64) {
    let number = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    let near = (number - expected).abs() < 1e-6 * expected.abs().min(1.0);
    assert!(near, "found {number}, expected {expected}");
}

fn survival(file: &str, duration: &str, event: &str, more: &str) -> String {
    format!("survival {file} --duration {duration} --event {event} {more}")
}

#[test]
fn waltons_flies() {
    let args = survival(WALTONS, "T", "E", "--group group --horizon 60");
    let found = told(&args);
    assert_eq!((found["lives"].as_u64(), found["baseline"].as_str()), (Some(163), Some("control")));
    let median = &found["groups"][1]["curve"]["median"];
    assert_eq!(
        (&median["time"], &median["low"], &median["high"]),
        (&26.0.into(), &19.0.into(), &29.0.into())
    );
    close(&found["groups"][0]["restricted_mean"]["mean"], 54.303556822839006);
    let difference = &found["restricted_mean_differences"][0]["difference"];
    close(&difference["difference"], 25.58823529411764 - 54.303556822839006);
    close(&found["log_rank"]["chi_square"], 122.24912557300615);
    close(&found["cox"]["model"]["coefficients"][0]["coefficient"], 2.0525352098615732);
    close(&found["cox"]["model"]["coefficients"][0]["standard_error"], 0.216974001504946);
    close(&found["cox"]["model"]["concordance"], 0.6560527825588066);
    assert_eq!(found["cox"]["reference_levels"][0]["level"], "control");
    stats(&args).printed_with(&[
        "log-rank test: chi-square(1) = 122.2, p = 2.0e-28",
        "miR-137: median 26 (95 % interval 19 to 29; 34 of 34 lives ended)",
    ]);
    let other = told(&format!("{args} --baseline miR-137"));
    close(&other["cox"]["model"]["coefficients"][0]["coefficient"], -2.0525352098615732);
}

/// The page says what the command prints, and has the curves with what is at risk; a folder isn't replaced by it.
#[test]
fn survival_and_comparison_as_pages() {
    let (room, table) = table("arm,seed,score\na,1,1.0\na,2,2.0\na,3,2.5\nb,1,1.5\nb,2,2.75\nb,3,3.5\n");
    let file = room.path().join("page.html");
    let shown = file.to_str().unwrap();
    let args = survival(WALTONS, "T", "E", &format!("--group group --report {shown}"));
    stats(&args).printed_with(&["written to"]);
    let parts =
        ["Survival by group", "Lives at risk", "miR-137: median 26 (95 % interval 19 to 29", "survival.csv"];
    let page = fs::read_to_string(&file).unwrap();
    page.must_have(&parts);
    // Counts below the ticks are those of the data: 163 flies, of which 34 in the treated group.
    page.must_have(&[">129</text>", ">34</text>"]);

    let args = format!("compare {table} --score score --arm arm --pair seed --report {shown}");
    let json = told(&args);
    let page = fs::read_to_string(&file).unwrap();
    let mean = json["comparisons"][0]["difference"]["mean"].as_f64().unwrap();
    assert!(page.contains("Score by arm, world by world") && page.contains(&format!("+{mean:.4}")), "{mean}");
    assert_eq!(page.matches("class=\"pair\"").count(), 3, "a line for each world");

    let into_folder = survival(WALTONS, "T", "E", "--report");
    stats(&into_folder).arg(room.path()).refused_with(&["this is a folder"]);
}

#[test]
fn leukemia_patients() {
    let columns = "--covariates sex,logWBC,Rx";
    let found = told(&survival(LEUKEMIA, "t", "status", columns));
    let model = &found["cox"]["model"];
    for (index, expected) in [0.3146780496052354, 1.6819423996746805, 1.5035912010043664].iter().enumerate() {
        close(&model["coefficients"][index]["coefficient"], *expected);
    }
    close(&model["coefficients"][1]["p"], 5.819823176876357e-07);
    close(&model["likelihood_ratio_test"]["chi_square"], 47.1875746520148);
    close(&model["concordance"], 0.8513323983169705);
    close(&found["cox"]["proportional_hazards"][0]["columns"][0]["p"], 0.03676733602838253);
    close(&found["cox"]["proportional_hazards"][1]["columns"][0]["p"], 0.05178756982037387);
    let breslow = told(&survival(LEUKEMIA, "t", "status", &format!("{columns} --ties breslow")));
    close(&breslow["cox"]["model"]["coefficients"][2]["coefficient"], 1.390876663865444);
    close(&breslow["cox"]["model"]["log_likelihood"], -72.1090753433426);
    let clustered = told(&survival(LEUKEMIA, "t", "status", &format!("{columns} --cluster logWBC")));
    assert!(clustered["cox"]["model"]["coefficients"][0]["robust_standard_error"].is_number());
    assert_eq!(clustered["cox"]["cluster"], "logWBC");
}

/// Text columns, an event told the other way round, standard input: the same figures.
#[test]
fn the_same_lives_told_otherwise() {
    let text = fs::read_to_string(root().join(WALTONS)).unwrap();
    let turned: String = text
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let censored = match cells[1] {
                "E" => "censored",
                "1" => "False",
                _ => "True",
            };
            format!("{},{censored},{}\n", cells[2], cells[0])
        })
        .collect();
    let args = survival("-", "T", "!censored", "--covariates group");
    let found = stats(&args).arg("--json").write_stdin(turned).json();
    assert_eq!((found["file"].as_str(), found["events"].as_u64()), (Some("standard input"), Some(156)));
    close(&found["cox"]["model"]["coefficients"][0]["coefficient"], 2.0525352098615732);
    assert_eq!(found["cox"]["model"]["coefficients"][0]["column"], "group=miR-137");
}

#[test]
fn lives_of_a_run() {
    let many_deaths = ["--ticks", "300", "--set", "mortality.hazard_scale=100000"];
    let (_room, out) = lived("scenarios/synthetic.toml", &many_deaths);
    let lives = out.join("lives.parquet");
    let more = "--group cohort --cluster lineage";
    let found = told(&survival(lives.to_str().unwrap(), "lifespan_ticks", "!censored", more));
    let observed: u64 =
        found["groups"].as_array().unwrap().iter().map(|g| g["curve"]["events"].as_u64().unwrap()).sum();
    assert_eq!(Some(observed), found["events"].as_u64());
    assert!(observed > 0 && found["groups"].as_array().unwrap().len() > 1);
}

/// Scores of `stats/tests/reference/statistics.py`.
fn scores() -> String {
    let a = [0.52, 1.31, -0.24, 2.05, 0.97, 1.44, 0.11, 3.02, 1.76, 0.68, 2.49, 1.18];
    let b = [0.31, 0.85, -0.40, 1.95, 1.12, 0.93, -0.35, 1.88, 1.41, 0.72, 1.60, 1.33];
    let row = |(world, (a, b)): (usize, (&f64, &f64))| format!("{world},new,{a}\n{world},old,{b}\n");
    let rows: String = a.iter().zip(&b).enumerate().map(row).collect();
    format!("world,arm,score\n{rows}99,new,5\n")
}

#[test]
fn arms_in_the_same_worlds() {
    let (_room, file) = table(&scores());
    let args = format!("compare {file} --score score --arm arm --pair world --baseline old --seed 7");
    let found = told(&args);
    let compared = &found["comparisons"][0];
    assert_eq!((compared["pairs"].as_u64(), compared["unpaired_worlds"].as_u64()), (Some(12), Some(1)));
    close(&compared["paired_t"]["p"], 0.015299980915681254);
    close(&compared["paired_t"]["interval"]["low"], 0.07634866408268082);
    close(&compared["sign_flip"]["p"], 0.01123046875);
    close(&compared["sign_flip_holm_p"], 0.01123046875);
    // scipy 1.17.1, of differences rounded to nine decimals, with all ways of signs.
    close(&compared["signed_rank"]["p"], 0.01123046875);
    close(&compared["cohens_d_paired"], 0.8278799180942095);
    close(&compared["cliffs_delta"]["delta"], 0.18055555555555555);
    close(&compared["variance_reduction"], 0.8965309305837266);
    close(&compared["welch_t"]["p"], 0.36668886572786574);
    assert_eq!(found, told(&args), "the same seed tells the same");
    stats(&format!("{args} --target 2 --half-width 0.1")).printed_with(&[
        "1 worlds that only one of them was run in are left out",
        "new is higher than old: +0.3283 in the mean score over 12 shared worlds (95 % interval 0.07635 to 0.5803",
        "short of target",
        "± 0.1000 takes",
    ]);
    // What matters decides the words: the interval lies beyond .05, within 1, and neither beyond nor within .3.
    for (delta, verdict) in
        [("0.05", "better_by_more_than_matters"), ("1", "differs_by_less_than_matters"), ("0.3", "better")]
    {
        let judged = told(&format!("{args} --matters {delta}"));
        assert_eq!(judged["comparisons"][0]["verdict"], verdict, "{delta}");
    }
    let less = told(&format!("{args} --matters 0.05 --better less"));
    assert_eq!(less["comparisons"][0]["verdict"], "worse_by_more_than_matters");
}

#[test]
fn what_cannot_be_computed_is_said_in_place_of_a_figure() {
    let lives = survival("-", "t", "dead", "--group arm");
    stats(&lives).write_stdin("t,dead,arm\n1,1,a\n2,1,a\n3,0,b\n4,0,b\n").printed_with(&[
        "the Cox model can't be computed, because column `arm=b` tells at every death without fail who dies",
        "b: more than half outlived the observation (0 of 2 lives ended)",
    ]);
    let compare = |rows: &'static str, why: &str| {
        stats("compare - --score x --arm arm --pair w").write_stdin(rows).printed_with(&[why])
    };
    let why = "the paired t test can't be computed, because the difference of the pairs is constant";
    let said = compare("w,arm,x\n1,a,2\n1,b,3\n2,a,4\n2,b,5\n", why);
    assert!(!said.contains("()"), "{said}");
    let why = "b against a can't be tested: 0 in the mean x over 2 shared worlds.";
    compare("w,arm,x\n1,a,2\n1,b,2\n2,a,4\n2,b,4\n", why);
}

/// Fifty thousand pairs: by every pair with every other it would be some thousand million comparisons, a quarter of an hour in this build.
#[test]
fn many_pairs_are_compared_before_anybody_goes_home() {
    let rows = |world: u32| {
        let score = f64::from(world.wrapping_mul(2_654_435_761) >> 8);
        format!("{world},a,{score}\n{world},b,{}\n", score * 1.01 + f64::from(world % 7))
    };
    let table: String = (0..50_000).map(rows).collect();
    let mut compare = stats("compare - --score x --arm arm --pair w --resamples 100 --json");
    compare.timeout(std::time::Duration::from_secs(120));
    let found = compare.write_stdin(format!("w,arm,x\n{table}")).json();
    assert_eq!(found["comparisons"][0]["pairs"], 50_000);
}

fn refused(table: &str, args: &str, expected: &str) {
    let (code, out, err) = stats(args).write_stdin(table).ended();
    assert_eq!((code, out, err), (2, String::new(), format!("error: {expected}\n")), "{args:?}");
}

/// R codes deaths as 2 and censored lives as 1; others write words, semicolons and decimal commas.
#[test]
fn an_event_may_be_any_value() {
    let answer = |table: &str, event: &str| {
        let args = survival("-", "t", event, "--group arm");
        let mut found = stats(&args).arg("--json").write_stdin(table).json();
        found["event"] = "the same".into();
        found
    };
    let plain = answer("t,dead,arm\n1.5,1,a\n2,0,b\n3,1,a\n4,1,b\n", "dead");
    assert_eq!(plain["events"], 3);
    for (table, event) in [
        ("\"t\" \"status\" \"arm\"\n".replace(' ', ",") + "1.5,2,a\n2,1,b\n3,2,a\n4,2,b\n", "status=2"),
        ("t;end;arm\n1,5;dead;a\n2;alive;b\n3;dead;a\n4;dead;b\n".to_owned(), "end=dead"),
        ("t\tend\tarm\n1.5\tdead\ta\n2\talive\tb\n3\tdead\ta\n4\tdead\tb\n".to_owned(), "end!=alive"),
        ("t,cause,arm\n1.5,7,a\n2,0,b\n3,1,a\n4,2,b\n".to_owned(), "cause>0"),
    ] {
        assert_eq!(answer(&table, event), plain, "{event}");
    }
    refused(
        "t,status\n1,2\n2,\n",
        &survival("-", "t", "status=2", ""),
        "standard input:3: status is empty: must hold a value; --only 'status!=' leaves out rows where it isn't known",
    );
}

#[test]
fn tables_that_cannot_be_used_are_one_line() {
    let lives =
        |table: &str, more: &str, expected: &str| refused(table, &survival("-", "t", "dead", more), expected);
    let good = "t,dead,arm,x\n1,1,a,0.5\n2,0,b,1.5\n3,1,a,0.1\n";
    let with = |from: &str, to: &str| good.replacen(from, to, 1);
    refused(
        good,
        &survival("-", "tt", "dead", ""),
        "standard input: there is no column `tt`: did you mean `t`? its columns are t, dead, arm, x",
    );
    lives(&with("2,0", "soon,0"), "", "standard input:3: t = \"soon\": must be a finite number");
    lives(
        &with("2,0", "NaN,0"),
        "",
        "standard input:3: t = \"NaN\": must be a finite number; --only 't!=NaN' leaves out rows where it isn't known",
    );
    lives(&with("2,0", "-2,0"), "", "standard input:3: t = -2: must be 0 or more");
    lives(
        &with("2,0", "2,perhaps"),
        "",
        "standard input:3: dead = \"perhaps\": must be true, false, 1 or 0; or name the value that is meant, as in COLUMN=VALUE",
    );
    lives(&with("1.5", "inf"), "--covariates x", "standard input:3: x = \"inf\": must be a finite number");
    lives(
        &with("1.5", ""),
        "--covariates x",
        "standard input:3: x is empty: must be a finite number; --only 'x!=' leaves out rows where it isn't known",
    );
    lives(
        "t,dead,arm\n1,1,a\n2,1,a\n",
        "--group arm",
        "standard input: arm is \"a\" in every row: there is nothing to compare it with",
    );
    lives("t,dead,x\n1,1,2\n2,1,2\n", "--covariates x", "standard input: column `x` is constant");
    lives(
        "t,dead\n1,0\n2,0\n",
        "",
        "standard input: dead is true of no row: every life is censored, and there is nothing to analyse",
    );
    lives("t,dead\n", "", "standard input: there are no rows");
    lives("", "", "standard input: the file is empty: it needs a line with the names of its columns");
    lives(
        &with("1.5", "9007199254740993"),
        "--covariates x",
        "standard input:3: x = \"9007199254740993\": whole numbers beyond 2^53 would be rounded: write it in a larger unit, or with a decimal point if rounding does no harm",
    );
    lives(
        &good.replace("0.5", "0").replace("1.5", "1e-200").replace("0.1", "3e-200"),
        "--covariates x",
        "standard input: x, row 3: 3e-200 is the largest in size, and must be 1e-90 or more: measure it in a smaller unit",
    );
    lives("t,dead\n1\n", "", "standard input:2: 1 columns, and the heading has 2");
    lives(good, "--group arm --baseline c", "--baseline c: did you mean `a`? arm has a, b");
    lives(good, "--level 2", "--level: level = 2: must be above 0 and below 1");
    lives(good, "--horizon 0", "--horizon 0: must be a number above 0");
    let compare = "compare - --score x --arm arm --pair w";
    refused(
        "w,arm,x\n1,a,2\n1,b,3\n",
        compare,
        "standard input: b and a have 1 worlds in common: it takes at least 2 to compare them",
    );
    refused(
        "w,arm,x\n1,a,2\n1,a,3\n1,b,3\n",
        compare,
        "standard input:3: arm \"a\" has a score for w \"1\" already: one row for each arm in each world",
    );
    refused(
        "w,arm,x\n1,a,2\n1,b,NaN\n",
        compare,
        "standard input:3: x = \"NaN\": must be a finite number; --only 'x!=NaN' leaves out rows where it isn't known",
    );
}

/// The leukemia patients with the entries and weights of `stats/tests/reference/statistics.py`.
fn late_patients() -> String {
    let text = fs::read_to_string(root().join(LEUKEMIA)).unwrap();
    let with = |(index, line): (usize, &str)| {
        let Some(row) = index.checked_sub(1) else { return format!("{line},entry,weight\n") };
        let weeks: f64 = line.split(',').next().unwrap().parse().unwrap();
        let entry = weeks * [0.0, 0.13, 0.37, 0.0][row % 4];
        format!("{line},{entry},{}\n", [1.0, 2.0, 0.5, 1.5, 3.0][row % 5])
    };
    text.lines().enumerate().map(with).collect()
}

/// lifelines 0.30.3: CoxPHFitter with entry_col and weights_col; R's survival 3.5.3 for the robust errors.
#[test]
fn lives_that_enter_late_and_weigh() {
    let (_room, file) = table(&late_patients());
    let columns = "--covariates sex,logWBC,Rx --entry entry";
    let late = survival(&file, "t", "status", columns);
    let found = told(&late);
    close(&found["cox"]["model"]["log_likelihood"], -68.3646433725124);
    assert_eq!((found["entry"].as_str(), found["weight"].as_str()), (Some("entry"), None));
    let both = format!("{late} --weight weight");
    let model = &told(&both)["cox"]["model"];
    close(&model["coefficients"][1]["coefficient"], 1.7629801921085866);
    close(&model["coefficients"][1]["robust_standard_error"], 0.3328035810820495);
    stats(&both).printed_with(&[
        "(t, status), observed from entry on, weighted by weight\n",
        "standard errors are robust, because lives are weighted",
    ]);
}

#[test]
fn entries_and_weights_that_cannot_be_are_refused() {
    let (_room, file) = table("t,dead,from,w\n3,1,1,1\n5,1,5,0\n7,0,0,2\n");
    for (flag, expected) in [
        ("--entry from", "table.csv:3: from = 5: must be from 0 to before the life's t"),
        ("--weight w", "table.csv:3: w = 0: must be from 1e-6 to 1e6: leave out lives"),
        ("--entry form", "did you mean `from`?"),
    ] {
        stats(&survival(&file, "t", "dead", flag)).refused_with(&[expected]);
    }
}
