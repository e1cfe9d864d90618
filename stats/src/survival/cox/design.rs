//! The data in the form of the likelihood: rows by ascending time, columns centred and of unit spread (so that Newton's steps are well scaled), and late
//! entries. It is the design matrix (covariates) of a Cox regression. Coefficients of standardised columns are converted back before they
//! are reported.

use super::CoxData;
use super::late::Late;
use morta_base::dot::dot;
use ndarray::{Array1, Array2};
use std::cmp::Ordering;
use std::ops::Range;

/// The design matrix: sorted rows and standardised columns.
pub(super) struct Design {
    /// Number of columns.
    pub columns: usize,
    /// Standardised values: a row for each life, a column for each covariate.
    values: Array2<f64>,
    /// Whether each row ends in a death.
    pub events: Vec<bool>,
    /// What each row weighs.
    pub weights: Vec<f64>,
    /// Rows that are at risk from their entry on only; `None`: all are from the start.
    pub late: Option<Late>,
    /// Rows of one time each, ascending.
    pub blocks: Vec<Block>,
    /// The row of the data that each row is.
    pub order: Vec<usize>,
    /// What a standard deviation of each column is in the data's units.
    scales: Array1<f64>,
}

/// Rows of one time: tied times, whose deaths share a risk set.
pub(super) struct Block {
    /// The time.
    pub time: f64,
    /// The rows.
    pub rows: Range<usize>,
    /// Deaths among them.
    pub deaths: usize,
    /// Their mean weight: what each of Efron's steps counts for.
    pub death_weight: f64,
}

impl Design {
    /// Preprocesses the data: sorting by time and standardization of columns (design matrix). Rows of one time are put in an order of their
    /// own, so that the order of the data doesn't matter to the last bit.
    pub(super) fn from_data(data: &CoxData) -> Self {
        let (durations, events) = (data.lifetimes.durations(), data.lifetimes.events());
        let by_content = |a: &usize, b: &usize| {
            let columns =
                || data.covariates.iter().map(|column| column.values[*a].total_cmp(&column.values[*b]));
            let time = durations[*a].total_cmp(&durations[*b]).then(events[*b].cmp(&events[*a]));
            let entry = |row: usize| data.lifetimes.late_entry(row).unwrap_or(0.0);
            let rest = || {
                let weight = data.lifetimes.weight(*a).total_cmp(&data.lifetimes.weight(*b));
                weight.then(entry(*a).total_cmp(&entry(*b)))
            };
            time.then_with(|| columns().find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
                .then_with(rest)
        };
        let mut order: Vec<usize> = (0..durations.len()).collect();
        order.sort_by(by_content);
        let count = order.len() as f64;
        let columns = data.covariates.len();
        let mut values = Array2::zeros((order.len(), columns));
        let mut scales = Array1::zeros(columns);
        for (column, covariate) in data.covariates.iter().enumerate() {
            // Not `base::moments`: deviations are squared as shares of the largest, so that they keep their digits in any unit.
            let sorted = || order.iter().map(|row| covariate.values[*row]);
            let mean = sorted().map(|x| x / count).sum::<f64>();
            let largest = sorted().map(|x| (x - mean).abs()).fold(0.0, f64::max);
            let squares = sorted().map(|x| ((x - mean) / largest) * ((x - mean) / largest)).sum::<f64>();
            let scale = largest * (squares / count).sqrt();
            values
                .column_mut(column)
                .iter_mut()
                .zip(sorted())
                .for_each(|(place, x)| *place = (x - mean) / scale);
            scales[column] = scale;
        }
        let events: Vec<bool> = order.iter().map(|row| events[*row]).collect();
        let weights: Vec<f64> = order.iter().map(|row| data.lifetimes.weight(*row)).collect();
        let blocks = blocks(&order, durations, &events, &weights);
        let entries: Vec<Option<f64>> = order.iter().map(|row| data.lifetimes.late_entry(*row)).collect();
        let late = Late::from_entries(&entries, &blocks);
        Self { columns, values, events, weights, late, blocks, order, scales }
    }

    /// The standardised values of a row (design matrix row).
    pub(super) fn row(&self, row: usize) -> &[f64] {
        self.values.row(row).to_slice().expect("rows are contiguous")
    }

    /// The linear predictors, x·β of every row, for standardised β.
    pub(super) fn linear_predictors(&self, beta: &[f64]) -> Vec<f64> {
        (0..self.order.len()).map(|row| dot(self.row(row), beta)).collect()
    }

    /// exp(x·β) of every row over the largest of them, and the logarithm of that: nothing overflows (a log-sum-exp).
    pub(super) fn hazards(&self, beta: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut linear = self.linear_predictors(beta);
        let largest = linear.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        linear.iter_mut().for_each(|x| *x -= largest);
        let hazards = linear.iter().map(|x| morta_base::math::exp(*x)).collect();
        (hazards, linear)
    }

    /// Rescales coefficients in the data's units to those of standardised columns.
    pub(super) fn standardised(&self, beta: &[f64]) -> Vec<f64> {
        beta.iter().zip(&self.scales).map(|(beta, scale)| beta * scale).collect()
    }

    /// Rescales coefficients of standardised columns to the data's units.
    pub(super) fn in_units(&self, beta: &[f64]) -> Vec<f64> {
        beta.iter().zip(&self.scales).map(|(beta, scale)| beta / scale).collect()
    }

    /// Rescales their covariance matrix to the data's units.
    pub(super) fn covariance_in_units(&self, mut covariance: Array2<f64>) -> Array2<f64> {
        let scaled = |((i, j), value): ((usize, usize), &mut f64)| *value /= self.scales[i] * self.scales[j];
        covariance.indexed_iter_mut().for_each(scaled);
        covariance
    }

    /// Rescales a residual of standardised columns to the data's units.
    pub(super) fn residual_in_units(&self, residual: &[f64]) -> Vec<f64> {
        residual.iter().zip(&self.scales).map(|(value, scale)| value * scale).collect()
    }
}

fn blocks(order: &[usize], durations: &[f64], events: &[bool], weights: &[f64]) -> Vec<Block> {
    let mut start = 0;
    let block = |tied: &[usize]| {
        let rows = start..start + tied.len();
        start = rows.end;
        let dying = || rows.clone().filter(|row| events[*row]);
        let deaths = dying().count();
        let death_weight = dying().map(|row| weights[row]).sum::<f64>() / deaths.max(1) as f64;
        Block { time: durations[tied[0]], rows, deaths, death_weight }
    };
    order.chunk_by(|a, b| durations[*a] == durations[*b]).map(block).collect()
}
