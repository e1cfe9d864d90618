//! Sensitivity analysis against SALib 1.6.0 on its own designs, and against what is known of two functions on designs of our own.

use super::{close, columns, numbers};
use morta_base::WorldSeed;
use morta_base::math::sin;
use morta_stats::sensitivity::Factor;
use morta_stats::sensitivity::morris::{Morris, elementary_effect, trajectories};
use morta_stats::sensitivity::saltelli::SaltelliDesign;
use morta_stats::sensitivity::sobol::{Indices, PairRow, SobolRow, second_order};
use std::f64::consts::PI;

const SALTELLI: [&str; 2] =
    [include_str!("../data/saltelli-ishigami.csv"), include_str!("../data/saltelli-g-function.csv")];
const MORRIS: [&str; 2] =
    [include_str!("../data/morris-ishigami.csv"), include_str!("../data/morris-g-function.csv")];
/// Of the g-function: the larger, the less the factor matters.
const A: [f64; 4] = [0.0, 1.0, 4.5, 9.0];

/// Ishigami & Homma 1990, with their 7 and 0.1.
fn ishigami(point: &[f64]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|factor| PI * (2.0 * point[factor] - 1.0));
    sin(x) + 7.0 * sin(y) * sin(y) + 0.1 * z * z * z * z * sin(x)
}

/// Sobol' 1993.
fn g_function(point: &[f64]) -> f64 {
    let factor = |(x, a): (&f64, &f64)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a);
    point.iter().zip(&A).map(factor).product()
}

/// The points and the outputs of a file.
fn design(text: &str) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut columns: Vec<Vec<f64>> = columns(text).iter().map(|column| numbers(column)).collect();
    let outputs = columns.pop().unwrap();
    let points = (0..outputs.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
    (points, outputs)
}

#[test]
fn the_functions_are_those_of_the_package() {
    for (files, function) in [(0, ishigami as fn(&[f64]) -> f64), (1, g_function)] {
        for text in [SALTELLI[files], MORRIS[files]] {
            let (points, outputs) = design(text);
            let found: Vec<f64> = points.iter().map(|point| function(point)).collect();
            assert!(found.iter().zip(&outputs).all(|(found, known)| (found - known).abs() < 1e-12));
        }
    }
}

#[test]
fn sobol_indices_match_salib() {
    let expected: [[&[f64]; 3]; 2] = [
        [
            &[0.3767250173693065, 0.5622615427683932, -0.1488171151105691],
            &[0.19930854246795207, 0.5137430755443096, 0.1611189162828069],
            &[-0.4061327809215246, -0.07113585866118494, 0.013451811018760584],
        ],
        [
            &[0.019902826172460763, 0.15259063746843285, 0.2322624867155968, -0.0427951651400928],
            &[0.04826740097816267, 0.0666748348223303, 0.0414805126644364, 0.014047331226569953],
            &[
                0.04109694919479834, 0.04181946638285744, 0.009365411831009099, -0.22975474464514473,
                -0.18102190959433684, -0.39287758916030524,
            ],
        ],
    ];
    for (text, [first, total, second]) in SALTELLI.into_iter().zip(expected) {
        let (points, outputs) = design(text);
        let factors = points[0].len();
        let step = 2 * factors + 2;
        let centre = outputs.iter().sum::<f64>() / outputs.len() as f64;
        let at = |row: usize, place: usize| outputs[row * step + place];
        let rows = outputs.len() / step;
        let of = |factor: usize| {
            let row = |row| SobolRow { a: at(row, 0), b: at(row, step - 1), ab: at(row, 1 + factor) };
            Indices::from_rows(&(0..rows).map(row).collect::<Vec<_>>(), centre).unwrap()
        };
        let found: Vec<Indices> = (0..factors).map(of).collect();
        close(found.iter().map(|one| one.first), first, 1e-12);
        close(found.iter().map(|one| one.total), total, 1e-12);
        let pair = |j: usize, k: usize| {
            let row = |row| PairRow {
                a: at(row, 0),
                b: at(row, step - 1),
                ab_j: at(row, 1 + j),
                ab_k: at(row, 1 + k),
                ba_j: at(row, 1 + factors + j),
            };
            second_order(&(0..rows).map(row).collect::<Vec<_>>(), centre).unwrap()
        };
        let pairs = (0..factors).flat_map(|j| (j + 1..factors).map(move |k| (j, k)));
        close(pairs.map(|(j, k)| pair(j, k)), second, 1e-12);
    }
}

#[test]
fn elementary_effects_match_salib() {
    let expected: [[&[f64]; 3]; 2] = [
        [
            &[7.704054111593103, -2.624999999999999, 4.1658640688887445],
            &[7.704054111593103, 7.874999999999996, 8.331728137777489],
            &[6.845213166091862, 8.133265027035572, 10.204241306571975],
        ],
        [
            &[-0.17149270482603804, -0.6713804713804715, 0.4309764309764314, -0.40942760942761014],
            &[2.3439955106621775, 1.5656565656565655, 0.6814814814814819, 0.453198653198654],
            &[2.658835947173731, 1.6592629760769948, 0.7093535059151497, 0.3170563173366721],
        ],
    ];
    for (text, [mu, mu_star, sigma]) in MORRIS.into_iter().zip(expected) {
        let (points, outputs) = design(text);
        let factors = points[0].len();
        let of = |factor: usize| {
            let steps = (1..points.len()).filter(|row| row % (factors + 1) != 0);
            let moved = |row: usize| points[row][factor] - points[row - 1][factor];
            let effects: Vec<f64> = steps
                .filter_map(|row| elementary_effect(outputs[row - 1], outputs[row], moved(row)))
                .collect();
            Morris::from_effects(&effects).unwrap()
        };
        let found: Vec<Morris> = (0..factors).map(of).collect();
        close(found.iter().map(|one| one.mu), mu, 1e-12);
        close(found.iter().map(|one| one.mu_star), mu_star, 1e-12);
        close(found.iter().map(|one| one.sigma), sigma, 1e-12);
    }
}

/// A function, how many factors it has, and what is known of each: first order and total.
type Known = (fn(&[f64]) -> f64, usize, Vec<(f64, f64)>);

fn known() -> [Known; 2] {
    let fourth = PI * PI * PI * PI;
    let slope = 1.0 + 0.1 * fourth / 5.0;
    let (x, y, xz) = (0.5 * slope * slope, 49.0 / 8.0, 8.0 * 0.01 * fourth * fourth / 225.0);
    let whole = x + y + xz;
    let of_ishigami = vec![(x / whole, (x + xz) / whole), (y / whole, y / whole), (0.0, xz / whole)];
    let alone: Vec<f64> = A.iter().map(|a| 1.0 / (3.0 * (1.0 + a) * (1.0 + a))).collect();
    let product: f64 = alone.iter().map(|v| 1.0 + v).product();
    let of_g = alone.iter().map(|v| (v / (product - 1.0), v * product / (1.0 + v) / (product - 1.0)));
    [(ishigami, 3, of_ishigami), (g_function, 4, of_g.collect())]
}

#[test]
fn own_designs_give_known_indices() {
    for (function, factors, known) in known() {
        let design = SaltelliDesign::new(&vec![Factor::Range; factors], 4096, WorldSeed(1)).unwrap();
        let centre = design.a.iter().map(|point| function(point)).sum::<f64>() / 4096.0;
        for (factor, (first, total)) in known.into_iter().enumerate() {
            let row = |row: usize| SobolRow {
                a: function(&design.a[row]),
                b: function(&design.b[row]),
                ab: function(&design.ab(row, factor)),
            };
            let found = Indices::from_rows(&(0..4096).map(row).collect::<Vec<_>>(), centre).unwrap();
            let far = (found.first - first).abs().max((found.total - total).abs());
            assert!(far < 0.02, "factor {factor}: {found:?}, known {first} {total}");
        }
    }
}

/// Every point of every world has luck of its own, as large as all that factors do: within a world that looks like interaction, in the mean
/// over worlds it is taken out.
#[test]
fn luck_is_not_mistaken_for_interaction() {
    let (function, factors, known) = known().into_iter().next().unwrap();
    let design = SaltelliDesign::new(&vec![Factor::Range; factors], 2048, WorldSeed(1)).unwrap();
    let deviation = 13.8_f64.sqrt();
    let luck = |point: &[f64], world: u64| {
        let key = point.iter().fold(world, |key, x| key.rotate_left(17) ^ x.to_bits());
        deviation * WorldSeed(key).world(morta_base::Purpose::Price, 0, 0).normal()
    };
    for (factor, (first, total)) in known.into_iter().enumerate() {
        let row = |row: usize| -> Vec<SobolRow> {
            let (a, b, ab) = (&design.a[row], &design.b[row], &design.ab(row, factor));
            let at = |point: &[f64], world: u64| function(point) + luck(point, world);
            (0..4).map(|world| SobolRow { a: at(a, world), b: at(b, world), ab: at(ab, world) }).collect()
        };
        let rows: Vec<Vec<SobolRow>> = (0..2048).map(row).collect();
        let world: Vec<SobolRow> = rows.iter().map(|row| row[0]).collect();
        let (world, mean) = (Indices::from_rows(&world, 3.5).unwrap(), Indices::of_mean(&rows, 3.5).unwrap());
        assert!((mean.first - first).abs() < 0.05 && (mean.total - total).abs() < 0.05, "{factor}: {mean:?}");
        // Half of the variance is luck, and all of it changes whenever a factor does.
        assert!((world.total - (0.5 + total / 2.0)).abs() < 0.08, "{factor}: {world:?}");
    }
}

#[test]
fn screening_separates_factors_that_matter() {
    let found = trajectories(&[Factor::Range; 5], 4, 30, WorldSeed(2)).unwrap();
    let of = |factor: usize| {
        let effect = |one: &morta_stats::sensitivity::morris::Trajectory| {
            let step = one.moved.iter().position(|moved| *moved == factor).unwrap();
            let (before, after) = (&one.points[step], &one.points[step + 1]);
            elementary_effect(g_function(before), g_function(after), after[factor] - before[factor]).unwrap()
        };
        Morris::from_effects(&found.iter().map(effect).collect::<Vec<_>>()).unwrap().mu_star
    };
    let sizes: Vec<f64> = (0..5).map(of).collect();
    assert!(sizes.windows(2).all(|pair| pair[0] > pair[1]) && sizes[4] == 0.0, "{sizes:?}");
}
