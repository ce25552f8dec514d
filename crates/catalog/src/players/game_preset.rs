//! Presets tuned for one game, which replace the general preset of the same name.

use banyan_core::TextError;
use banyan_search::Config;

use super::presets::PRESETS;
use super::{Kind, OPPONENT_MODEL, PlayerSpec};

/// A preset tuned for one game, defined in the family of that game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePreset {
    /// Its name, one of [`PRESETS`] that [suits its game](super::Preset::suits_its_game).
    pub name: &'static str,
    /// Its definitions as players with settings, `graph:select=puct,batch=8`; the first one that is compatible with the
    /// explicit settings applies.
    pub variants: &'static [&'static str],
}

impl GamePreset {
    /// Checks its name and variants.
    ///
    /// # Errors
    /// An unknown name, or a variant that is another kind of search.
    pub fn check(&self) -> Result<(), TextError> {
        if !PRESETS.iter().any(|preset| preset.suits_its_game && preset.name == self.name) {
            let names = PRESETS.iter().filter(|preset| preset.suits_its_game).map(|preset| preset.name);
            let expected = format!("expected one of {}", names.collect::<Vec<_>>().join(", "));
            return Err(TextError::new(format!("preset {:?}", self.name), expected, "rename it"));
        }
        self.variants.iter().try_for_each(|variant| self.read(variant).map(|_| ()))
    }

    fn read(&self, variant: &str) -> Result<Kind, TextError> {
        let general = PRESETS.iter().find(|preset| preset.name == self.name);
        let alpha_beta = general.is_some_and(|preset| matches!((preset.kind)(), Kind::AlphaBeta(_)));
        let read = variant.parse::<PlayerSpec>().and_then(|player| match player.kind {
            kind @ Kind::Search(_) if !alpha_beta => Ok(kind),
            kind @ Kind::AlphaBeta(_) if alpha_beta => Ok(kind),
            _ => {
                let (search, remedy) = if alpha_beta { ("an alpha-beta", "pvs") } else { ("a Monte Carlo", "graph") };
                let expected = format!("expected {search} search");
                Err(TextError::new(format!("variant {variant:?}"), expected, format!("use {remedy} with settings")))
            }
        });
        read.map_err(|err| err.at(format_args!("preset {}", self.name)))
    }
}

/// Separate from the rest of `PlayerSpec`, which does not depend on presets of games.
impl PlayerSpec {
    /// Checks that the game with these presets has this player and its opponent model, if they are published systems.
    ///
    /// # Errors
    /// The game does not have it.
    pub(crate) fn check_game(&self, presets: &[GamePreset]) -> Result<(), TextError> {
        if let Kind::Vote(members) = &self.kind {
            members.iter().try_for_each(|member| member.check_game(presets))?;
        }
        if let Some(model) = self.model() {
            model.check_game(presets)?;
        }
        match self.preset() {
            Some(preset) if preset.needs_its_game && presets.iter().all(|known| known.name != preset.name) => {
                let expected = format!("expected the game of this player, {}", preset.summary);
                Err(TextError::new(format!("player {self}"), expected, "choose another player or its game"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the settings of the player, its members and its opponent model are compatible, with those that a game with these
    /// presets gives them.
    ///
    /// # Errors
    /// They are incompatible.
    pub fn check_settings(&self, presets: &[GamePreset]) -> Result<(), TextError> {
        if let Kind::Vote(members) = &self.kind {
            members.iter().try_for_each(|member| member.check_settings(presets))?;
        }
        if let Some(model) = self.model() {
            model.check_settings(presets)?;
        }
        let checked = self.kind_in(presets, |_| true).map(|_| ());
        checked.map_err(|err| err.at(format_args!("player {self}")))
    }

    /// The settings given explicitly that differ from those of the game's preset of its name; the number of threads is not compared.
    pub fn changes(&self, presets: &[GamePreset]) -> Vec<String> {
        let preset = presets.iter().find(|preset| preset.name == self.name);
        let Some(Ok(own)) = preset.and_then(|preset| Some(preset.read(preset.variants.first()?))) else {
            return Vec::new();
        };
        let given = self.given.iter().filter(|name| **name != "threads" && self.kind.get(name) != own.get(name));
        let model = self.model.is_some().then_some(&OPPONENT_MODEL);
        given.chain(model).map(|name| format!("{name}={}", self.kind.get(name))).collect()
    }

    /// The player in a game with these presets: the first variant of the game's preset that is compatible with the explicit
    /// settings and that the game `takes`, or the general preset. A variant that mixes static evaluations into values (`implicit`) is for
    /// leaves with these, unless it is an explicit setting.
    ///
    /// # Errors
    /// An invalid variant, or settings that conflict with every variant and with the general preset, or with a published system.
    pub(crate) fn kind_in(&self, presets: &[GamePreset], takes: impl Fn(&Config) -> bool) -> Result<Kind, TextError> {
        let Some(preset) = presets.iter().find(|preset| preset.name == self.name) else {
            return self.kind.check().map(|()| self.kind.clone());
        };
        let (mut kinds, mut refused) = (Vec::new(), None);
        for variant in preset.variants {
            let mut kind = preset.read(variant)?;
            for name in &self.given {
                kind.set(name, &self.kind.get(name))?;
            }
            if self.model.is_some() {
                kind.set(OPPONENT_MODEL, &self.kind.get(OPPONENT_MODEL))?;
            }
            match kind.check() {
                Ok(()) => kinds.push(kind),
                Err(err) if self.preset().is_some_and(|preset| preset.needs_its_game) => return Err(err),
                // Among errors that name a given setting, that of the first variant.
                Err(err) if self.given.iter().any(|name| err.found.starts_with(&format!("{name}="))) => {
                    refused = refused.or(Some(err));
                }
                Err(_) => {}
            }
        }
        match self.kind.check() {
            Ok(()) => kinds.push(self.kind.clone()),
            Err(err) if kinds.is_empty() => return Err(refused.unwrap_or(err)),
            Err(_) => {}
        }
        let taken = kinds.iter().position(|kind| match kind {
            Kind::Search(config) => {
                (config.implicit == 0.0 || config.evaluator == "static" || self.gives("implicit")) && takes(config)
            }
            _ => true,
        });
        // If no variant fits, the error of the first is the most useful.
        Ok(kinds.swap_remove(taken.unwrap_or(0)))
    }
}
