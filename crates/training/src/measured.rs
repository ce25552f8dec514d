//! The accuracy of the weights of a training on exact scores: the file `measured.csv`.

use banyan_catalog::strength::span;
use banyan_catalog::{Budget, Catalog, ScoredPosition, StopWhen};
use banyan_core::TextError;
use banyan_review::accuracy::{Accuracy, AccuracyError, Subject};

use crate::TrainingObserver;
use crate::error::TrainingError;
use crate::fit::Fitted;
use crate::folder::TrainingFolder;
use crate::plan::{WEIGHTS, eval_by};

const MEASURED: &str = "measured.csv";
const HEADER: &str = "weights,positions,error_low,error,error_high,best_move_low,best_move,best_move_high";

impl TrainingFolder {
    /// The player that measures the weights of the folder, also before there are any: searches of depth 4 without
    /// selective cuts.
    ///
    /// # Errors
    /// A path that cannot be part of a player.
    pub fn subject(&self) -> Result<Subject, TextError> {
        let eval = eval_by(&self.file(WEIGHTS))?;
        let player = format!("pvs:depth=4,probcut=off,{eval}").parse()?;
        Ok(Subject { player, limits: Budget::default().first_limits(), seed: 1 })
    }

    /// Measures the weights that were fitted on positions with exact scores, and writes the result, or stops if the observer requests
    /// it (`None`).
    ///
    /// # Errors
    /// A path that cannot be part of a player, a position that is not one of the game or has no scores, or the file cannot be written.
    pub fn measure(
        &mut self,
        catalog: &Catalog,
        fitted: &Fitted,
        positions: &[ScoredPosition],
        observer: &dyn TrainingObserver,
    ) -> Result<Option<Accuracy>, TrainingError> {
        let (game, subject) = (catalog.game(&self.plan().game)?, self.subject()?);
        let mut accuracy = Accuracy::default();
        for position in positions {
            observer.measured(accuracy.positions, positions.len() as u64);
            match subject.attempt(&game, position, &mut StopWhen(|| observer.stopped())) {
                Ok(attempt) => accuracy.add(&attempt),
                Err(AccuracyError::Stopped) => return Ok(None),
                Err(_) if observer.stopped() => return Ok(None),
                Err(AccuracyError::Position(err) | AccuracyError::Settings(err)) => return Err(err.into()),
                Err(AccuracyError::Player(fault)) => {
                    let found = format!("line {}: {} {fault}", position.line, subject.player);
                    return Err(TextError::new(found, "expected a move", "leave the position out").into());
                }
            }
        }
        let ends = span(accuracy.error(), 6).into_iter().chain(span(accuracy.best_moves(), 6));
        let ends = ends.map(|end| end.map(|number| number.to_string()).unwrap_or_default());
        let cells = [fitted.fingerprint.to_string(), accuracy.positions.to_string()].into_iter().chain(ends);
        let row = cells.collect::<Vec<_>>().join(",");
        self.check()?;
        self.write(MEASURED, format!("{HEADER}\n{row}\n").as_bytes())?;
        Ok(Some(accuracy))
    }
}
