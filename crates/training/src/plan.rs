//! The plan of a training: the file `train.toml` of its folder.

use std::fs;
use std::path::{Path, PathBuf};

use banyan_arena::Shard;
use banyan_catalog::learnable::{Excluded, Selection};
use banyan_catalog::storage::{FileError, Seal, read_own_text};
use banyan_catalog::view::VERSION;
use banyan_catalog::{AnyGame, Budget, Catalog, EVAL, PlayerSpec, UNLEARNED};
use banyan_core::TextError;
use banyan_fit::Steps;
use banyan_inference::TrainingTask;
use serde::{Deserialize, Serialize};

use crate::boards::Boards;
use crate::error::TrainingError;

pub(super) const WEIGHTS: &str = "weights.bin";
/// The file of the plan.
pub(super) const PLAN: &str = "train.toml";
/// The file of the games.
pub(super) const GAMES: &str = "games.txt";

/// The plan of a training. Two trainings with equal plans and the same program give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingPlan {
    /// [`VERSION`].
    pub v: u32,
    /// The game: a board, or a range of boards such as `connect-four:9-12x9-12,holes=1`.
    pub game: String,
    /// The evaluation that is learned.
    pub evaluation: String,
    /// The player of the first moves; `None` if they are drawn by the visits of the other player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// The least and the greatest number of those moves; each game draws one of them.
    pub opening_plies: [u16; 2],
    /// The player of the other moves.
    pub player: String,
    /// Its budget for a move, in playouts or nodes, so that the games can be repeated.
    pub budget: String,
    /// One in `explore` later moves is drawn by its visits; 0 for none.
    #[serde(default)]
    pub explore: u32,
    /// Games to play, by all parts together.
    pub games: u64,
    /// The part whose games are played, `1/4`; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Random seed.
    pub seed: u64,
    /// The least and the greatest number of plies left in positions that are learned from.
    pub plies_left: [u16; 2],
    /// Whether only positions with a proven outcome are learned from.
    pub proven: bool,
    /// The weight of the next position's label in the label of a position for which a search expected a margin: 1, the default, for
    /// the outcome alone, 0 for the expected margin alone.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub lambda: f32,
    /// Files with one position per line that are not learned from, nor any with the same features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Folders of trainings of the same evaluation whose games are learned from too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The fingerprint of the weights by which the player evaluates, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Passes over all positions.
    pub epochs: u32,
    /// Size of the first step of a weight, to which that of the last is added.
    pub rate: f32,
    /// Strength of the ridge regression, which holds points near 0 if few positions determine them; 0 for a fit by AdaGrad, without
    /// regularisation.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ridge: f32,
    /// Strength with which weights are held near those of the next stage; of no use without a ridge.
    #[serde(default, skip_serializing_if = "is_none")]
    pub smoothness: f32,
}

fn whole() -> f32 {
    1.0
}

fn is_whole(part: &f32) -> bool {
    *part == 1.0
}

fn is_none(strength: &f32) -> bool {
    *strength == 0.0
}

/// The size of the last steps, as a part of the rate (guess, untuned).
const LAST_STEP: f32 = 0.04;

/// The most plies left that each have a separate row in the report; if there are more, twenty share one.
const MOST_GROUPS: u16 = 40;
const COARSE_GROUP: u16 = 20;

/// The largest sensible first step, in points.
const MOST_RATE: f32 = 10.0;

/// The largest sensible strength.
const MOST_RIDGE: f32 = 1e6;

impl TrainingPlan {
    /// The usual plan of an evaluation; of the first one of the game if `evaluation` is `None`. The boards are those of the
    /// evaluation if the game is named without options. If each board has its own weights, the plies of the opening
    /// and those left in positions are of the usual board: a smaller one has the same shares of its plies, rounded down.
    ///
    /// # Errors
    /// An unknown game, or one that does not learn this evaluation or not on these boards.
    pub fn usual(catalog: &Catalog, game: &str, evaluation: Option<&str>) -> Result<TrainingPlan, TextError> {
        let boards = Boards::parse(game, catalog)?;
        // Not every board of a game has every evaluation.
        let is_here = |task: &&TrainingTask| boards.first().trainable(task.name).is_ok();
        let tasks: Vec<&TrainingTask> = boards.first().training_tasks().iter().filter(is_here).collect();
        let found = tasks.iter().find(|task| evaluation.is_none_or(|name| name == task.name));
        let Some(task) = found else {
            let names: Vec<&str> = tasks.iter().map(|task| task.name).collect();
            let wanted = evaluation.map_or(String::new(), |name| format!(" {}", name.escape_debug()));
            let found = format!("train {game}{wanted}");
            return Err(if names.is_empty() {
                TextError::new(
                    found,
                    "expected a game with an evaluation that is learned",
                    "try banyan train dots-and-boxes",
                )
            } else {
                let expected = format!("expected one of {}", names.join(", "));
                TextError::new(found, expected, format!("try banyan train {game} {}", names[0]))
            });
        };
        let (boards, game) = Boards::of(task, game, catalog)?;
        let share = if task.boards.is_empty() {
            let n_plies = |game: &AnyGame| game.trainable(task.name).map(|trainable| trainable.n_plies());
            let usual_board = catalog.game(game.split(':').next().unwrap_or_default())?;
            [n_plies(boards.first())?, n_plies(&usual_board)?]
        } else {
            [1, 1]
        };
        Ok(TrainingPlan {
            v: VERSION,
            game,
            evaluation: task.name.to_owned(),
            opening: task.opening.map(str::to_owned),
            opening_plies: scaled(task.opening_plies, share),
            player: task.player.to_owned(),
            budget: task.budget.to_owned(),
            explore: task.explore,
            games: 10_000,
            shard: None,
            seed: 1,
            plies_left: scaled(task.plies_left, share),
            proven: false,
            lambda: task.lambda,
            exclude: Vec::new(),
            also: Vec::new(),
            weights: None,
            epochs: task.epochs,
            rate: 0.05,
            ridge: task.ridge,
            smoothness: task.smoothness,
        })
    }

    /// The plan of generation `number`, counted from 0, of which each plays twice as many games as the one before. In the first one
    /// the player keeps its `eval` setting, or evaluates without learned weights if it has none; in later ones it evaluates by the
    /// weights of the generation before. `folder` gives the folder of a generation.
    ///
    /// # Errors
    /// Too many games, or a folder whose name cannot be part of a player.
    pub fn generation(&self, number: u32, folder: impl Fn(u32) -> PathBuf) -> Result<TrainingPlan, TextError> {
        let games = 1u64.checked_shl(number).and_then(|factor| self.games.checked_mul(factor));
        let games = games.ok_or_else(|| {
            TextError::new(
                format!("--generations {}", number + 1),
                "expected fewer, as each doubles the games",
                "lower it",
            )
        })?;
        let (name, settings) = self.player.split_once(':').unwrap_or((&self.player, ""));
        let is_eval = |setting: &&str| setting.split('=').next() == Some(EVAL);
        let eval = match number.checked_sub(1) {
            None => match settings.split(',').find(is_eval) {
                Some(given) => given.to_owned(),
                None => format!("{EVAL}={UNLEARNED}"),
            },
            Some(before) => eval_by(&folder(before).join(WEIGHTS))?,
        };
        let others = settings.split(',').filter(|setting| !setting.is_empty() && !is_eval(setting));
        let settings: Vec<&str> = others.chain([&*eval]).collect();
        let player = format!("{name}:{}", settings.join(","));
        // Otherwise equal games would be played if the weights are alike.
        let seed = self.seed + u64::from(number);
        Ok(TrainingPlan { games, player, seed, ..self.clone() })
    }

    /// The parts that are not text.
    ///
    /// # Errors
    /// A game, player, evaluation or budget that does not exist or does not fit, or a number out of range.
    pub(super) fn parts(&self, catalog: &Catalog) -> Result<Parts, TextError> {
        let range = |what: &str, [least, most]: [u16; 2]| {
            let remedy = "put the smaller number first";
            if least > most {
                Err(TextError::new(format!("{what} {least}..{most}"), "expected a range", remedy))
            } else {
                Ok(())
            }
        };
        for (what, n) in [("--games", self.games), ("--epochs", self.epochs.into())] {
            if n == 0 {
                return Err(TextError::new(format!("{what} 0"), "expected at least 1", format!("try {what} 10")));
            }
        }
        if !(self.rate > 0.0 && self.rate <= MOST_RATE) {
            let found = format!("--rate {}", self.rate);
            return Err(TextError::new(
                found,
                format!("expected more than 0, and at most {MOST_RATE}"),
                "try --rate 0.05",
            ));
        }
        let held = [("--ridge", self.ridge, MOST_RIDGE), ("--smoothness", self.smoothness, MOST_RIDGE)];
        for (what, n, most) in [("--lambda", self.lambda, 1.0)].into_iter().chain(held) {
            if !(0.0..=most).contains(&n) {
                return Err(TextError::new(
                    format!("{what} {n}"),
                    format!("expected 0 to {most}"),
                    format!("try {what} 1"),
                ));
            }
        }
        self.part()?;
        range("--opening-plies", self.opening_plies)?;
        range("--plies-left", self.plies_left)?;
        let boards = Boards::parse(&self.game, catalog)?;
        let game = boards.first();
        let task = self.task(&boards)?;
        let n_plies = game.trainable(task.name)?.n_plies();
        if !boards.is_range() {
            self.check_plies_left(n_plies)?;
        }
        let player = |text: &str| {
            let player: PlayerSpec = text.parse()?;
            game.check_player(&player).map(|()| player)
        };
        let opening = self.opening.as_deref().map(player).transpose()?;
        let player = player(&self.player)?;
        let budget: Budget = self.budget.parse()?;
        budget.check_repeatable("the games")?;
        player.refuse_unused(&budget)?;
        Ok(Parts { boards, task, opening, player, budget })
    }

    /// The part whose games are played.
    ///
    /// # Errors
    /// A text that is not one.
    pub fn part(&self) -> Result<Shard, TextError> {
        self.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse)
    }

    /// The number of games of its part.
    ///
    /// # Errors
    /// As for [`part`](TrainingPlan::part).
    pub fn games_of_part(&self) -> Result<u64, TextError> {
        Ok(self.part()?.share(self.games))
    }

    /// Checks that the opening leaves some of the plies that are learned from, on a board of `n_plies` plies; a pass counts as one.
    fn check_plies_left(&self, n_plies: u16) -> Result<(), TextError> {
        let ([least, most], [shortest, longest]) = (self.plies_left, self.opening_plies);
        // Moves of an opening player are not learned from.
        let drawn = if self.opening.is_some() { shortest } else { 0 };
        let left = n_plies.saturating_sub(drawn);
        if least.max(1) <= most.min(left) {
            return Ok(());
        }
        let found = format!("--plies-left {least}..{most} after --opening-plies {shortest}..{longest}");
        let expected =
            format!("expected some of the {n_plies} plies of {}, of which at most {left} are left then", self.game);
        Err(TextError::new(found, expected, "change one of the two ranges"))
    }

    /// The evaluation to learn.
    fn task(&self, boards: &Boards) -> Result<TrainingTask, TextError> {
        let found = boards.first().training_tasks().iter().find(|task| task.name == self.evaluation);
        match found {
            Some(task) => Ok(*task),
            // Returns the error of an unknown evaluation.
            None => boards.first().trainable(&self.evaluation).map(|_| unreachable!("every evaluation has a task")),
        }
    }

    /// The positions that are learned from, in groups for the report.
    pub(super) fn selection(&self, task: &TrainingTask) -> Selection {
        let [least, most] = self.plies_left;
        let is_coarse = most - least >= MOST_GROUPS;
        let group = if is_coarse { COARSE_GROUP } else { 1 };
        let (plies_left, proven, lambda) = (self.plies_left, self.proven, self.lambda);
        Selection { target: task.target, plies_left, proven, group, lambda, excluded: Excluded::default() }
    }

    pub(super) fn steps(&self) -> Steps {
        let last = self.rate * LAST_STEP;
        Steps { epochs: self.epochs, first: self.rate + last, last }
    }
}

/// The setting of a player that evaluates by a file of weights.
///
/// # Errors
/// A path that cannot be part of a player.
pub(super) fn eval_by(weights: &Path) -> Result<String, TextError> {
    let weights = weights.display().to_string();
    if weights.contains([',', ':', '+']) {
        return Err(TextError::new(weights, "expected a path without , : and +", "choose another --out"));
    }
    Ok(format!("{EVAL}={weights}"))
}

/// A range of plies of the usual board on a smaller one, by the plies of both.
fn scaled(range: [u16; 2], [n_plies, usual]: [u16; 2]) -> [u16; 2] {
    let scaled = |end: u16| (u32::from(end) * u32::from(n_plies) / u32::from(usual)) as u16;
    if n_plies < usual { range.map(scaled) } else { range }
}

/// The parts of a plan that are not text.
pub(super) struct Parts {
    pub(super) boards: Boards,
    pub(super) task: TrainingTask,
    pub(super) opening: Option<PlayerSpec>,
    pub(super) player: PlayerSpec,
    pub(super) budget: Budget,
}

/// The plan in a folder.
pub(super) fn read_plan(folder: &Path) -> Result<TrainingPlan, TrainingError> {
    let path = &folder.join(PLAN);
    let text = read_own_text(path).map_err(FileError::of("read", path))?;
    let plan = toml::from_str(&text).map_err(|err| {
        let found = err.message().replace('\n', " ");
        TextError::new(found, "expected the plan of a training", "choose another folder").at(path.display())
    })?;
    if Seal::of(&text) == Seal::Broken && fs::metadata(folder.join(GAMES)).is_ok_and(|games| games.len() > 0) {
        let expected = "expected the plan of its games, of which the last line is a digest";
        return Err(TextError::new(PLAN, expected, "restore the file, or choose another folder")
            .at(folder.display())
            .into());
    }
    Ok(plan)
}
