//! All registered comparisons of the sweeps in a folder, corrected together: forty questions at 5 % find two answers by luck. Benjamini and
//! Hochberg's procedure was taken and not Holm's, because over the many questions of a project a bounded share of false findings is what a
//! reader can use; the chance of any single one nears certainty. It is multiple testing across experiments: the false discovery rate (FDR),
//! and empirical Bayes shrinkage of effect sizes. Only the primary measure's comparisons with the baseline count, by their uncorrected p; a
//! sweep that is exploratory, unfinished, or run under a profile or with `--seeds` is left out with its reason, as is one whose
//! `analysis.json` this build can't read. Contrasts of a ladder or a map don't count. `morta stats across FOLDER` prints the table; no
//! sweep's verdict is changed by it.

use crate::io::error::{At as _, Error, Result};
use crate::io::text::{Align, View, between, or_dash, p_value, signed, table_of};
use crate::sweep::analysis::report::Analysis;
use crate::sweep::analysis::verdict::ContrastVerdict;
use crate::sweep::sweep_folder::{ANALYSIS, MANIFEST};
use morta_stats::multiple::benjamini_hochberg;
use morta_stats::shrinkage::shrink_towards_zero;
use morta_stats::{Interval, StatsError};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The registered comparisons of all sweeps in a folder, corrected together for the false discovery rate.
#[derive(Debug, Serialize)]
pub struct Across {
    /// The folder.
    pub folder: PathBuf,
    /// Every comparison that decides, in the order of the sweeps' folders.
    pub comparisons: Vec<RegisteredComparison>,
    /// Sweeps that were left out, and why.
    pub left_out: Vec<String>,
}

/// One pre-registered comparison of one of the sweeps, with its corrected p-value and shrunken effect.
#[derive(Debug, Serialize)]
pub struct RegisteredComparison {
    /// The sweep's folder.
    pub sweep: String,
    /// The arm.
    pub arm: String,
    /// The arm that it is compared with.
    pub baseline: String,
    /// The measure.
    pub measure: String,
    /// Worlds.
    pub worlds: u64,
    /// The mean difference, in the measure's unit.
    pub effect: Option<f64>,
    /// Its interval, at the level that the sweep's own correction leaves.
    pub interval: Option<Interval>,
    /// The verdict of the sweep by itself.
    pub verdict: Option<ContrastVerdict>,
    /// p-value of the registered test.
    pub p: f64,
    /// p after the sweep's own correction.
    pub corrected_p: Option<f64>,
    /// p corrected for all comparisons of the folder by Benjamini and Hochberg: of those at or below a share, at most that share is found by
    /// luck, on average.
    pub false_discovery_p: f64,
    /// Cohen's d_z: the mean difference over the standard deviation of the differences; nothing where they don't vary.
    pub d_z: Option<f64>,
    /// The difference drawn towards 0 by what all comparisons of the folder show, in the measure's unit: the largest of many estimates is too
    /// large on average. Nothing without a `d_z`.
    pub shrunken_effect: Option<f64>,
}

impl Across {
    /// Reads the analyses of all sweeps that lie in a folder (experiments), corrects their p-values together and shrinks their effects.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the folder can't be read, or no sweep in it has a comparison that decides.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        let entries = std::fs::read_dir(folder).map_err(|error| {
            Error::at(folder, format!("can't be read: {error}: name a folder that holds folders of sweeps"))
        })?;
        let mut sweeps: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join(MANIFEST).is_file())
            .collect();
        sweeps.sort();
        let mut found = Self { folder: folder.to_owned(), comparisons: Vec::new(), left_out: Vec::new() };
        for sweep in &sweeps {
            let name = sweep.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
            match read(sweep) {
                Ok(analysis) if analysis.standing.decides => found.take(&name, &analysis),
                Ok(analysis) => {
                    found.left_out.push(format!("{name}: {}", analysis.standing.because.join("; ")))
                }
                Err(why) => found.left_out.push(format!("{name}: {why}")),
            }
        }
        if found.comparisons.is_empty() {
            let why = if found.left_out.is_empty() {
                String::new()
            } else {
                format!(" ({})", found.left_out.join(" | "))
            };
            return Err(Error::invalid(format!(
                "{shown}: no sweep in it has a registered comparison that decides{why}: name a folder that holds folders of finished sweeps"
            )));
        }
        let p_values: Vec<f64> = found.comparisons.iter().map(|one| one.p).collect();
        let corrected = benjamini_hochberg(&p_values).at(folder)?;
        for (one, corrected) in found.comparisons.iter_mut().zip(corrected) {
            one.false_discovery_p = corrected;
        }
        found.shrink().at(folder)?;
        Ok(found)
    }

    /// Comparisons are in many units, so that they are shrunken as d_z and given in their own unit again. The standard error of a d_z of n pairs is
    /// √(1/n + d_z²/2n) (Gibbons, Hedeker & Davis 1993), of large n.
    fn shrink(&mut self) -> std::result::Result<(), StatsError> {
        let mut with_d_z: Vec<&mut RegisteredComparison> =
            self.comparisons.iter_mut().filter(|one| one.d_z.is_some() && one.effect.is_some()).collect();
        let effects: Vec<f64> = with_d_z.iter().filter_map(|one| one.d_z).collect();
        let error = |(d_z, one): (&f64, &&mut RegisteredComparison)| {
            ((1.0 + d_z * d_z / 2.0) / one.worlds as f64).sqrt()
        };
        let errors: Vec<f64> = effects.iter().zip(&with_d_z).map(error).collect();
        let shrunken = shrink_towards_zero(&effects, &errors)?;
        for ((one, d_z), shrunken) in with_d_z.iter_mut().zip(effects).zip(shrunken) {
            // A d_z of 0 is a difference of 0, and stays one.
            let share = if d_z == 0.0 { 0.0 } else { shrunken / d_z };
            one.shrunken_effect = one.effect.map(|effect| effect * share);
        }
        Ok(())
    }

    fn take(&mut self, sweep: &str, analysis: &Analysis) {
        let primary = &analysis.primary;
        for arm in primary.arms.iter().filter(|arm| arm.same_as.is_none()) {
            let Some(contrast) = &arm.difference else { continue };
            let Some(p) = contrast.p.known() else { continue };
            self.comparisons.push(RegisteredComparison {
                sweep: sweep.to_owned(),
                arm: arm.arm.clone(),
                baseline: primary.baseline.clone(),
                measure: primary.measure.clone(),
                worlds: contrast.worlds,
                effect: contrast.effect,
                interval: contrast.interval.known().copied(),
                verdict: contrast.verdict,
                p: *p,
                corrected_p: contrast.corrected_p.known().copied(),
                false_discovery_p: 1.0,
                d_z: contrast.figures.as_ref().and_then(|figures| figures.cohens_d_paired.known().copied()),
                shrunken_effect: None,
            });
        }
    }
}

fn read(sweep: &Path) -> Result<Analysis> {
    let missing =
        || Error::invalid(format!("{ANALYSIS} isn't there: the sweep has neither stopped nor ended"));
    Analysis::written(sweep)?.ok_or_else(missing)?.map_err(|other| Error::invalid(other.to_string()))
}

impl View for Across {
    fn lines(&self) -> Vec<String> {
        use Align::{Left, Right};
        let verdict = |verdict: ContrastVerdict| verdict.in_brief(true).to_owned();
        let mut lines = vec![format!(
            "{}: {} registered comparisons; the last column corrects p for all of them (Benjamini and Hochberg); shrunken: the difference drawn towards 0 by what all of them show",
            self.folder.display(),
            self.comparisons.len()
        )];
        lines.extend(table_of::<RegisteredComparison>(
            &[
                ("sweep", Left, &|one| one.sweep.clone()),
                ("comparison", Left, &|one| format!("{} \u{2212} {}", one.arm, one.baseline)),
                ("verdict", Left, &|one| one.verdict.map_or(String::new(), verdict)),
                ("worlds", Right, &|one| one.worlds.to_string()),
                ("difference", Right, &|one| or_dash(one.effect, signed)),
                ("interval", Right, &|one| or_dash(one.interval.as_ref(), between)),
                ("shrunken", Right, &|one| or_dash(one.shrunken_effect, signed)),
                ("p", Right, &|one| p_value(one.p)),
                ("in its sweep", Right, &|one| or_dash(one.corrected_p, p_value)),
                ("false discovery", Right, &|one| p_value(one.false_discovery_p)),
            ],
            &self.comparisons,
        ));
        lines.extend(self.left_out.iter().map(|why| format!("left out: {why}")));
        lines
    }
}
