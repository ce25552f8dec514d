//! Players as text: a preset and what is set differently, `uct:c=0.8`. Read once, built for any game.

use std::fmt;
use std::str::FromStr;

use banyan_core::{Game, Player, TextError};
use banyan_search::{Config, Greedy, Mcts, Random, TUNABLES};

use crate::budget::Budget;
use crate::near_miss::did_you_mean;

/// A player to ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether it takes the settings of the search's table.
    pub tunable: bool,
    kind: fn() -> Kind,
}

/// Every player there is.
pub const PRESETS: &[Preset] = &[
    Preset { name: "random", summary: "any legal move, all alike", tunable: false, kind: || Kind::Random },
    Preset {
        name: "greedy",
        summary: "looks one ply ahead: takes a win, blocks one, else the most points at once",
        tunable: false,
        kind: || Kind::Greedy,
    },
    Preset {
        name: "uct",
        summary: "UCT (Kocsis and Szepesvari 2006), forced moves at expansion: structure=tree,proof=off",
        tunable: true,
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "mcgs",
        summary: "Monte Carlo graph search with proofs, as the table below says",
        tunable: true,
        kind: || Kind::Search(Box::default()),
    },
];

/// A player that has been named but does not know its game yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Random,
    Greedy,
    Search(Box<Config>),
}

impl Default for PlayerSpec {
    /// `uct` as it comes.
    fn default() -> PlayerSpec {
        PlayerSpec { name: "uct", kind: Kind::Search(Box::new(Config::uct())) }
    }
}

impl PlayerSpec {
    /// Whether it reports more than its choice: playouts, values, an expected line.
    pub fn explains(&self) -> bool {
        matches!(self.kind, Kind::Search(_))
    }

    /// Whether `budget` ends this player's search.
    ///
    /// # Errors
    /// It would search for ever, or the budget asks for something this player does not do.
    pub fn check(&self, budget: &Budget) -> Result<(), TextError> {
        let unheard = Budget { depth: None, ..*budget } == Budget::default();
        if matches!(self.kind, Kind::Search(_)) && unheard {
            let expected = format!("{self} has no depth of its own and would never stop");
            return Err(TextError::new(format!("budget {budget}"), expected, "add a time or a number of playouts"));
        }
        Ok(())
    }

    /// The player for games of type `G`, with all its randomness from `seed`.
    pub fn build<G: Game>(&self, seed: u64) -> Box<dyn Player<G>> {
        let mut player: Box<dyn Player<G>> = match &self.kind {
            Kind::Random => Box::new(Random::new(seed)),
            Kind::Greedy => Box::new(Greedy::new(seed)),
            Kind::Search(config) => Box::new(Mcts::new((**config).clone())),
        };
        player.new_game(seed);
        player
    }
}

impl FromStr for PlayerSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PlayerSpec, TextError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let preset = PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| unknown(name))?;
        let mut kind = (preset.kind)();
        let mut names_set = Vec::new();
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            set(preset, &mut kind, setting, &mut names_set)
                .map_err(|err| TextError { found: format!("player {text:?}: {}", err.found), ..err })?;
        }
        if let Kind::Search(config) = &kind {
            config.check().map_err(|err| TextError { found: format!("player {text:?}: {}", err.found), ..err })?;
        }
        Ok(PlayerSpec { name: preset.name, kind })
    }
}

fn unknown(name: &str) -> TextError {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    if name == "human" {
        let expected = "a person plays only in `banyan play`, as --first or --second";
        return TextError::new("player \"human\"", expected, format!("name one of {}", names.join(", ")));
    }
    let hint = did_you_mean(name, names.iter().copied());
    let expected = format!("expected one of {}{hint}", names.join(", "));
    TextError::new(format!("unknown player {name:?}"), expected, "`banyan players` lists them with their settings")
}

/// Sets what `setting` says, once: `names_set` are the parameters set before.
fn set<'a>(preset: &Preset, kind: &mut Kind, setting: &'a str, names_set: &mut Vec<&'a str>) -> Result<(), TextError> {
    let Kind::Search(config) = kind else {
        return Err(TextError::new(setting, format!("{} has nothing to set", preset.name), "leave it out"));
    };
    let (name, value) = setting
        .split_once('=')
        .ok_or_else(|| TextError::new(setting, "expected name=value", "try for instance c=0.8"))?;
    if TUNABLES.iter().all(|row| row.name != name) {
        let names: Vec<&str> = TUNABLES.iter().map(|row| row.name).collect();
        let expected = format!("expected one of {}{}", names.join(", "), did_you_mean(name, names.iter().copied()));
        return Err(TextError::new(format!("unknown parameter {name:?}"), expected, "`banyan players` explains them"));
    }
    if names_set.contains(&name) {
        return Err(TextError::new(
            setting,
            format!("one value of {name}, but there are two"),
            "leave one of them out",
        ));
    }
    names_set.push(name);
    config.set(name, value).map_err(|err| TextError { expected: format!("expected {}", err.expected), ..err })
}

impl fmt::Display for PlayerSpec {
    /// The preset and what differs from it, in the order of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let Kind::Search(config) = &self.kind else { return Ok(()) };
        let preset = PRESETS.iter().find(|preset| preset.name == self.name).expect("a player is named by its preset");
        let Kind::Search(usual) = (preset.kind)() else { return Ok(()) };
        let differing = TUNABLES.iter().filter(|row| config.get(row.name) != usual.get(row.name));
        for (i, row) in differing.enumerate() {
            let value = config.get(row.name).expect("every row of the table has a value");
            write!(f, "{}{}={value}", if i == 0 { ':' } else { ',' }, row.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for (text, printed) in [
            ("random", "random"),
            ("greedy", "greedy"),
            ("uct", "uct"),
            ("uct:", "uct"),
            ("uct:reward=margin,c=0.25", "uct:c=0.25,reward=margin"),
            ("uct:structure=graph,proof=off", "uct:structure=graph"),
            ("mcgs:proof=bounds", "mcgs"),
            ("mcgs:schedule=0:0.5/1:0.25,fpu=0.1,proof=off", "mcgs:schedule=0:0.5/1:0.25,fpu=0.1,proof=off"),
        ] {
            let player: PlayerSpec = text.parse().unwrap_or_else(|err| panic!("{text}: {err}"));
            assert_eq!(player.to_string(), printed);
            assert_eq!(printed.parse::<PlayerSpec>(), Ok(player));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("utc", "did you mean uct?"),
            ("human", "only in `banyan play`"),
            ("random:c=1", "nothing to set"),
            ("uct:c", "name=value"),
            ("uct:c=-1", "c=-1: expected 0 .. 1000"),
            ("uct:c=nan", "c=nan"),
            ("uct:c=1,after=3,c=2", "c=2: one value of c"),
            ("uct:rewrad=win", "did you mean reward?"),
            ("mcgs:memory=0", "memory=0: expected 1 .. 65536"),
            ("mcgs:batch=65", "batch=65: expected 1 .. 64"),
            ("mcgs:schedule=0:1/0.5:2", "the whole game from stage 0 to 1, not 0 to 0.5"),
            ("mcgs:start=children", "add expand=all"),
            ("", "unknown player"),
        ] {
            let err = text.parse::<PlayerSpec>().expect_err(text).to_string();
            assert!(err.contains(part) && !err.contains('\n') && !err.ends_with('.'), "{text}: {err}");
        }
    }
}
