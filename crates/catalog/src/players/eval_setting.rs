//! The evaluation of a player: a file of weights that `banyan train` wrote, read once for all games, or an evaluation that was not learned.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use banyan_core::{Notation, TextError};
use banyan_inference::{Learnable, Target, Weights};
use banyan_search::Kit;

use crate::storage::read_bytes;

/// The value for an evaluation that was not learned.
pub const UNLEARNED: &str = "unlearned";

/// The weights by which a player evaluates positions.
#[derive(Clone, Debug)]
pub struct EvalSetting {
    /// The name of the setting.
    name: &'static str,
    /// Their file, or [`UNLEARNED`].
    path: PathBuf,
    /// Shared by all copies of the player.
    opened: Arc<Mutex<Option<Opened>>>,
}

/// The weights read for one board.
#[derive(Debug)]
struct Opened {
    game: String,
    /// The kit of the game with the weights.
    kit: Box<dyn Any + Send>,
}

/// Files are compared by name.
impl PartialEq for EvalSetting {
    fn eq(&self, other: &EvalSetting) -> bool {
        (self.name, &self.path) == (other.name, &other.path)
    }
}

impl EvalSetting {
    pub(crate) fn new(name: &'static str, path: impl Into<PathBuf>) -> EvalSetting {
        EvalSetting { name, path: path.into(), opened: Arc::default() }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a value of the setting is one of these, and not a word that the search defines.
    pub(crate) fn is_named_by(value: &str) -> bool {
        value == UNLEARNED || value.contains(['.', '/', '\\'])
    }

    fn is_unlearned(&self) -> bool {
        self.path.as_os_str() == UNLEARNED
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of the weights, as stated in the file; `None` without a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn fingerprint(&self) -> Result<Option<String>, TextError> {
        if self.is_unlearned() {
            return Ok(None);
        }
        let bytes = self.bytes()?;
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Ok(Some(String::from_utf8_lossy(line).split(' ').next_back().unwrap_or_default().to_owned()))
    }

    fn bytes(&self) -> Result<Vec<u8>, TextError> {
        read_bytes(&self.path).map_err(|err| {
            let found = format!("{}={}: {err}", self.name, self.path.display());
            TextError::new(found, "expected a file of weights", "check the path, or write it by banyan train")
        })
    }

    /// This kit with a static evaluation of the weights.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or does not hold weights of this board.
    pub(crate) fn kit<G: Notation, T: Kit<G> + Learnable<G>>(&self, kit: &T, game: &G) -> Result<T, TextError> {
        if self.is_unlearned() {
            return Ok(kit.without_weights().unwrap_or_else(|| kit.clone()));
        }
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let known = opened.as_ref().filter(|opened| opened.game == game.spec());
        if let Some(kit) = known.and_then(|opened| opened.kit.downcast_ref::<T>()) {
            return Ok(kit.clone());
        }
        let bytes = self.bytes()?;
        let kit = read(self.name, &bytes, kit, game)
            .map_err(|err| err.at(format_args!("{}={}", self.name, self.path.display())))?;
        *opened = Some(Opened { game: game.spec(), kit: Box::new(kit.clone()) });
        Ok(kit)
    }
}

/// The kit with the weights of the file that the setting `name` names.
fn read<G: Notation, T: Kit<G> + Learnable<G>>(name: &str, bytes: &[u8], kit: &T, game: &G) -> Result<T, TextError> {
    let tasks = kit.training_tasks().iter().filter(|task| task.target == Target::Points);
    let layouts: Vec<(&str, String)> =
        tasks.filter_map(|task| Some((task.name, kit.features(task.name, game)?.layout()))).collect();
    if layouts.is_empty() {
        let expected = "expected a board whose points to come can be learned";
        return Err(TextError::new(game.spec(), expected, format!("leave {name} out")));
    }
    let names: Vec<&str> = layouts.iter().map(|(_, layout)| layout.as_str()).collect();
    let weights = Weights::read(bytes, &names)?;
    let found = layouts.iter().find(|(_, layout)| layout == weights.layout());
    found.and_then(|(task, _)| kit.with_weights(task, game, weights.weights())).ok_or_else(|| {
        let found = format!("{} weights of layout {}", weights.weights().len(), weights.layout());
        TextError::new(found, format!("expected those of {}", game.spec()), "train them on this board")
    })
}
