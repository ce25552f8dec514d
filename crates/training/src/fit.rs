//! The fit of weights to the positions of the games.

use std::fmt::Write as _;

use banyan_catalog::Catalog;
use banyan_catalog::learnable::{ModelSize, Selection};
use banyan_catalog::storage::digest;
use banyan_core::{Rng, TextError, mix};
use banyan_fit::{Errors, Fit, LeastSquares, Loss, MeanErrors, Model, Network, Regression, Ridge};
use banyan_inference::{Fingerprint, Samples, Target, Weights, Width};

use crate::epoch::{Epoch, Unit};
use crate::error::TrainingError;
use crate::folder::TrainingFolder;
use crate::games::Games;
use crate::plan::WEIGHTS;
use crate::{TrainingObserver, chart};

const STATE: &str = "fit.state";
const CURVE: &str = "curve.csv";
const PICTURE: &str = "curve.svg";
const HEADER: &str = "epoch,training,validation";
/// One game in `VALIDATION_OF` is for validation and not learned from.
const VALIDATION_OF: usize = 10;

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The positions learned from.
    pub n_positions: usize,
    /// Positions left out, for training and validation, because they are excluded.
    pub n_excluded: usize,
    /// The target of learning.
    pub target: Target,
    /// Errors on validation positions, by groups of plies left.
    pub errors: Errors,
    /// Numbers of plies left in each group.
    pub group: u16,
    /// The digest of the weights.
    pub fingerprint: Fingerprint,
    /// The file for the game, if it embeds one.
    pub embedded: Option<&'static str>,
}

impl TrainingFolder {
    /// Fits a model to the games, or stops if the observer requests it (`None`); a later call resumes after the last whole epoch, if
    /// games and plan are still the same.
    ///
    /// # Errors
    /// A game cannot be read, there are no positions to learn from, a file cannot be written, or the folder was moved or removed.
    pub fn fit(&mut self, catalog: &Catalog, observer: &dyn TrainingObserver) -> Result<Option<Fitted>, TrainingError> {
        self.check()?;
        let plan = &self.plan().clone();
        let task = plan.parts(catalog)?.task;
        let (own, others) = (self.games(catalog)?, Games::others(plan, &task, catalog)?);
        let selection = Selection { excluded: self.excluded().clone(), ..plan.selection(&task) };
        let (mut samples, mut validation, mut n_excluded) = (Samples::default(), Samples::default(), 0);
        for idx in 0..own.lines().len() {
            let to = if idx % VALIDATION_OF == 0 { &mut validation } else { &mut samples };
            n_excluded += own.add(idx, &selection, to)?;
        }
        let of_others = others.iter().flat_map(|games| (0..games.lines().len()).map(move |idx| (games, idx)));
        // The validation games of other trainings are not learned from, either.
        for (games, idx) in of_others.filter(|(_, idx)| idx % VALIDATION_OF != 0) {
            n_excluded += games.add(idx, &selection, &mut samples)?;
        }
        if samples.is_empty() || validation.is_empty() {
            let found = format!("{} positions for training, and {} for validation", samples.len(), validation.len());
            let remedy = match task.target {
                Target::Visits => {
                    "raise --games, widen --plies-left, or choose a --player that counts visits, such as mcgs"
                }
                Target::Points | Target::Result => "raise --games, or widen --plies-left",
            };
            return Err(TextError::new(found, "expected at least one of each", remedy).into());
        }
        let stamp = self.stamp(own.lines().iter().chain(others.iter().flat_map(Games::lines)));
        let (mut fit, mut curve) = self.begun(task.target, own.trainable().size(), &samples, &stamp);
        while fit.epochs_done() < plan.epochs {
            if observer.stopped() {
                return Ok(None);
            }
            fit.pass(&samples);
            let mean = |samples: &Samples| Errors::of(fit.model(), samples).all.learned;
            let epoch = Epoch { number: fit.epochs_done(), training: mean(&samples), validation: mean(&validation) };
            curve.push(epoch);
            self.check()?;
            self.write(CURVE, table(&curve).as_bytes())?;
            self.write(STATE, &state_file(stamp, &curve, &fit))?;
            observer.fitted(&epoch);
        }
        self.check()?;
        let errors = Errors::of(fit.model(), &validation);
        let form = task.form;
        let weights = Weights::rounded(&own.trainable().layout(), &fit.model().weights(), form.units, form.most);
        self.write(WEIGHTS, &weights.to_bytes())?;
        if let Some(name) = form.embedded {
            let width = if form.most <= i8::MAX.into() { Width::One } else { Width::Two };
            self.write(name, &weights.to_raw_bytes(width))?;
        }
        self.write(PICTURE, chart::curve(&curve, Unit::of(task.target), &self.title()).as_bytes())?;
        let (target, group, embedded) = (task.target, selection.group, form.embedded);
        let (n_positions, fingerprint) = (samples.len(), weights.fingerprint());
        Ok(Some(Fitted { n_positions, n_excluded, target, errors, group, fingerprint, embedded }))
    }

    fn title(&self) -> String {
        format!("{}: {}", self.plan().game, self.plan().evaluation)
    }

    /// The fit after the last epoch that was written and its curve, or new ones.
    fn begun(&self, target: Target, size: ModelSize, samples: &Samples, stamp: &[u8; 8]) -> (Fit, Vec<Epoch>) {
        let plan = self.plan();
        let mut rng = Rng::new(plan.seed);
        let loss = if target == Target::Points { Loss::Squared } else { Loss::Logistic };
        let model: Box<dyn Model> = match size {
            ModelSize::Value { n_weights, per_stage } if target == Target::Points && plan.ridge > 0.0 => {
                let ridge = Ridge { strength: plan.ridge, smoothness: plan.smoothness, per_stage };
                Box::new(LeastSquares::new(n_weights, ridge))
            }
            ModelSize::Value { n_weights, .. } => Box::new(Regression::new(loss, n_weights)),
            ModelSize::Policy(size) => Box::new(Network::new(size, &mut rng)),
        };
        let mut fit = Fit::new(model, samples.len(), plan.steps(), rng);
        let curve = self.resume(&mut fit, stamp);
        (fit, curve)
    }

    /// Continues from the last epoch that was written, if it was of this fit and is not damaged; returns the curve so far.
    fn resume(&self, fit: &mut Fit, stamp: &[u8; 8]) -> Vec<Epoch> {
        let mut read = || {
            let bytes = std::fs::read(self.file(STATE)).ok()?;
            let curve = read_table(&std::fs::read_to_string(self.file(CURVE)).ok()?)?;
            let (checksum, state) = bytes.strip_prefix(stamp)?.split_first_chunk()?;
            let n_epochs = u32::from_le_bytes(*state.first_chunk()?) as usize;
            // The curve is written before the state.
            let curve = curve.get(..n_epochs)?.to_vec();
            (checksum_of(&curve, state) == *checksum && fit.resume(state)).then_some(curve)
        };
        read().unwrap_or_default()
    }

    /// A digest of the inputs that the state of a fit depends on, the first bytes of its file: games, positions excluded and steps.
    fn stamp<'a>(&'a self, lines: impl Iterator<Item = &'a String>) -> [u8; 8] {
        let plan = self.plan();
        let [least, most] = plan.plies_left.map(u64::from);
        let held = [plan.ridge, plan.smoothness].map(|number| u64::from(number.to_bits()));
        let [rate, lambda] = [plan.rate, plan.lambda].map(|number| u64::from(number.to_bits()));
        let numbers = [u64::from(plan.epochs), rate, plan.seed, least, most, plan.proven.into(), lambda];
        let letters = lines.flat_map(|line| line.bytes().chain([b'\n'])).map(u64::from);
        let all = numbers.into_iter().chain(held).chain(letters).chain(self.excluded().digests());
        all.fold(0, |digest, n| mix(digest ^ n)).to_le_bytes()
    }
}

/// The file of the state of a fit: the stamp, a checksum, and the state.
fn state_file(stamp: [u8; 8], curve: &[Epoch], fit: &Fit) -> Vec<u8> {
    let state = fit.to_bytes();
    [&stamp[..], &checksum_of(curve, &state), &state].concat()
}

/// A checksum of the state and the curve that belongs to it.
fn checksum_of(curve: &[Epoch], state: &[u8]) -> [u8; 8] {
    digest(digest(0, table(curve).as_bytes()), state).to_le_bytes()
}

fn table(curve: &[Epoch]) -> String {
    let mut text = format!("{HEADER}\n");
    for Epoch { number, training, validation } in curve {
        writeln!(text, "{number},{training},{validation}").expect("text can always be written to a string");
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
            training: cells.next()?.parse().ok()?,
            validation: cells.next()?.parse().ok()?,
        };
        cells.next().is_none().then_some(epoch)
    };
    lines.map(epoch).collect()
}

impl Fitted {
    /// The errors of the groups, few plies left first, and then those of all: the least and the greatest number of plies left
    /// (`None` for all) and errors.
    pub fn rows(&self) -> impl Iterator<Item = (Option<[u16; 2]>, MeanErrors)> {
        let plies = |group: u16| [group * self.group, group * self.group + (self.group - 1)];
        let groups = self.errors.groups.iter().map(move |(&group, &errors)| (Some(plies(group)), errors));
        groups.chain([(None, self.errors.all)])
    }
}
