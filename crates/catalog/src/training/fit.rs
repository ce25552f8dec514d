//! The fit of weights to the positions of the games.

use std::fmt::Write as _;

use banyan_learn::{Errors, Fingerprint, Loss, MeanErrors, Regression, Samples, Weights};

use super::TrainingObserver;
use super::chart;
use super::error::TrainingError;
use super::folder::TrainingFolder;
use crate::registry::Catalog;

const STATE: &str = "fit.state";
const CURVE: &str = "curve.csv";
const PICTURE: &str = "curve.svg";
const WEIGHTS: &str = "weights.bin";
const HEADER: &str = "epoch,learned_from,unseen";
/// Of so many games one is not learned from, and tells the errors on unseen positions.
const UNSEEN_OF: usize = 10;

/// The errors after a pass over the positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Passes made.
    pub number: u32,
    /// The mean absolute error, in points, on the positions learned from.
    pub learned_from: f64,
    /// The same on positions of other games.
    pub unseen: f64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The positions learned from.
    pub n_positions: usize,
    /// Errors in points on positions of other games, by plies left.
    pub errors: Errors,
    /// The digest of the weights.
    pub fingerprint: Fingerprint,
}

impl TrainingFolder {
    /// Learns from the games until all passes are made, or the observer stops it (`None`); a later call goes on after the last
    /// whole pass, if the games and the plan are still the same.
    ///
    /// # Errors
    /// A game cannot be read, there are no positions to learn from, or a file cannot be written.
    pub fn fit(&self, catalog: &Catalog, observer: &dyn TrainingObserver) -> Result<Option<Fitted>, TrainingError> {
        let plan = self.plan();
        let lesson = catalog.game(&plan.game)?.lesson(&plan.evaluation)?;
        let (mut samples, mut unseen) = (Samples::default(), Samples::default());
        for (idx, line) in self.lines()?.iter().enumerate() {
            let to = if idx % UNSEEN_OF == 0 { &mut unseen } else { &mut samples };
            lesson.add(line, plan.plies_left, plan.proven, to).map_err(|err| self.place(idx, err))?;
        }
        if samples.is_empty() || unseen.is_empty() {
            let found = format!("{} positions to learn from, and {} to check", samples.len(), unseen.len());
            let remedy = "raise --games, or widen --plies-left";
            return Err(banyan_core::TextError::new(found, "at least one of each", remedy).into());
        }
        let steps = plan.steps();
        let (mut regression, mut curve) = self.begun(lesson.n_weights(), &samples);
        while regression.epochs_done() < plan.epochs {
            if observer.stopped() {
                return Ok(None);
            }
            regression.pass(&samples, &steps);
            let mean = |samples: &Samples| Errors::of(&regression, samples).all.learned;
            let epoch = Epoch { number: regression.epochs_done(), learned_from: mean(&samples), unseen: mean(&unseen) };
            curve.push(epoch);
            self.write(CURVE, table(&curve).as_bytes())?;
            self.write(STATE, &[&self.stamp(&samples), &regression.to_bytes()[..]].concat())?;
            observer.fitted(&epoch);
        }
        let errors = Errors::of(&regression, &unseen);
        let weights = Weights::rounded(&lesson.layout(), regression.weights());
        self.write(WEIGHTS, &weights.to_bytes())?;
        self.write(PICTURE, chart::curve(&curve, &self.title()).as_bytes())?;
        Ok(Some(Fitted { n_positions: samples.len(), errors, fingerprint: weights.fingerprint() }))
    }

    fn title(&self) -> String {
        format!("{}: {}", self.plan().game, self.plan().evaluation)
    }

    /// The regression after the last pass that was written and its curve, or new ones.
    fn begun(&self, n_weights: usize, samples: &Samples) -> (Regression, Vec<Epoch>) {
        let new = || (Regression::new(Loss::Squared, n_weights), Vec::new());
        let read = || {
            let bytes = std::fs::read(self.file(STATE)).ok()?;
            let state = bytes.strip_prefix(&self.stamp(samples)[..])?;
            let regression = Regression::from_bytes(Loss::Squared, n_weights, state)?;
            let curve = read_table(&std::fs::read_to_string(self.file(CURVE)).ok()?)?;
            // The curve is written before the state.
            let done = curve.into_iter().take(regression.epochs_done() as usize).collect::<Vec<_>>();
            (done.len() == regression.epochs_done() as usize).then_some((regression, done))
        };
        read().unwrap_or_else(new)
    }

    /// What the state of a fit depends on, before it in its file: positions and steps.
    fn stamp(&self, samples: &Samples) -> [u8; 16] {
        let plan = self.plan();
        let [least, most] = plan.plies_left.map(u64::from);
        let numbers = [u64::from(plan.epochs), plan.rate.to_bits().into(), plan.seed, least, most, plan.proven.into()];
        let digest = numbers.into_iter().fold(0, |digest, n| banyan_core::mix(digest ^ n));
        let mut stamp = [0; 16];
        stamp[..8].copy_from_slice(&(samples.len() as u64).to_le_bytes());
        stamp[8..].copy_from_slice(&digest.to_le_bytes());
        stamp
    }
}

fn table(curve: &[Epoch]) -> String {
    let mut text = format!("{HEADER}\n");
    for Epoch { number, learned_from, unseen } in curve {
        writeln!(text, "{number},{learned_from},{unseen}").expect("text can always be written to a string");
    }
    text
}

fn read_table(text: &str) -> Option<Vec<Epoch>> {
    let mut lines = text.lines();
    (lines.next() == Some(HEADER)).then_some(())?;
    let epoch = |line: &str| {
        let mut cells = line.split(',');
        let epoch = Epoch {
            number: cells.next()?.parse().ok()?,
            learned_from: cells.next()?.parse().ok()?,
            unseen: cells.next()?.parse().ok()?,
        };
        cells.next().is_none().then_some(epoch)
    };
    lines.map(epoch).collect()
}

impl Fitted {
    /// The errors of the groups, few plies left first, and then those of all: plies left (`None` for all) and errors.
    pub fn rows(&self) -> impl Iterator<Item = (Option<u16>, MeanErrors)> {
        let groups = self.errors.groups.iter().map(|(&left, &errors)| (Some(left), errors));
        groups.chain([(None, self.errors.all)])
    }
}
