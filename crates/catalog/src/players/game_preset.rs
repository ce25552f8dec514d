//! Players tuned for one game, which stand in for a preset of the same name.

use banyan_core::TextError;
use banyan_search::Config;

use super::{Kind, PRESETS, PlayerSpec};
use crate::engine::GameTables;

/// A player tuned for one game, in the engine crate of that game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePreset {
    /// What it is called: a name of [`PRESETS`] that [suits its game](super::Preset::suits_its_game).
    pub name: &'static str,
    /// What it is, as a player with settings, `graph:select=puct,batch=8`; the first that goes together with what is set
    /// on purpose.
    pub variants: &'static [&'static str],
}

impl GamePreset {
    /// Whether it can be played.
    ///
    /// # Errors
    /// A name that no preset has, or a variant that is no player with the same settings.
    pub fn check(&self) -> Result<(), TextError> {
        if !PRESETS.iter().any(|preset| preset.suits_its_game && preset.name == self.name) {
            let names = PRESETS.iter().filter(|preset| preset.suits_its_game).map(|preset| preset.name);
            let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
            return Err(TextError::new(format!("preset {:?}", self.name), expected, "rename it"));
        }
        self.variants.iter().try_for_each(|variant| self.read(variant).map(|_| ()))
    }

    fn read(&self, variant: &str) -> Result<Kind, TextError> {
        let read = variant.parse::<PlayerSpec>().and_then(|player| match player.kind {
            kind @ Kind::Search(_) => Ok(kind),
            _ => {
                let expected = "expected a Monte Carlo search, whose settings the command line takes";
                Err(TextError::new(format!("variant {variant:?}"), expected, "try graph and its settings"))
            }
        });
        read.map_err(|err| TextError { found: format!("preset {}: {}", self.name, err.found), ..err })
    }
}

impl PlayerSpec {
    /// The player that `best` is in a game with these tables, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    pub fn in_game(&self, tables: &GameTables) -> Result<PlayerSpec, TextError> {
        let Kind::Best(settings) = &self.kind else { return Ok(self.clone()) };
        let settings: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let joint = if settings.is_empty() { "" } else { ":" };
        let player = format!("{}{joint}{}", tables.best, settings.join(",")).parse::<PlayerSpec>();
        player
            .map_err(|err| TextError { found: format!("{self}, which is {} here: {}", tables.best, err.found), ..err })
    }
}

/// Apart from the rest of `PlayerSpec`, which is read before any preset of a game is.
impl PlayerSpec {
    /// What it is in a game with these presets. A preset of the game's own is the first of its variants that goes together
    /// with what was set on purpose and that the game `takes`, or the general one if there is none.
    ///
    /// # Errors
    /// A variant that is no player.
    pub(crate) fn kind_in(&self, presets: &[GamePreset], takes: impl Fn(&Config) -> bool) -> Result<Kind, TextError> {
        let Some(preset) = presets.iter().find(|preset| preset.name == self.name) else { return Ok(self.kind.clone()) };
        let mut kinds = Vec::new();
        for variant in preset.variants {
            let mut kind = preset.read(variant)?;
            for name in &self.given {
                kind.set(name, &self.kind.get(name))?;
            }
            if kind.check().is_ok() {
                kinds.push(kind);
            }
        }
        kinds.push(self.kind.clone());
        let taken = kinds.iter().position(|kind| matches!(kind, Kind::Search(config) if takes(config)));
        // Where none is, the first names best what is wrong.
        Ok(kinds.swap_remove(taken.unwrap_or(0)))
    }
}
