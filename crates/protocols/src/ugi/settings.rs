//! The options of `setoption`.

use std::time::Duration;

use banyan_catalog::{Catalog, DEFAULT_PLAYER, PRESETS, PlayerSpec, did_you_mean};
use banyan_core::TextError;

use banyan_formats::split_word;

/// Name, type and default of every option; `Game` has the default and the values of its catalog.
const OPTIONS: [(&str, &str); 6] = [
    ("Game", "combo default"),
    ("Player", "string default best"),
    ("Seed", "spin default 1 min 0 max 18446744073709551615"),
    ("Threads", "spin default 1 min 1 max 64"),
    ("MultiPV", "spin default 1 min 1 max 256"),
    ("Overhead", "spin default 10 min 0 max 60000"),
];

/// The part of the settings that an option has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The game.
    Game,
    /// The player.
    Player,
    /// Nothing that affects the search tree.
    Other,
}

/// The values of the options.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The game by name.
    pub(super) game: String,
    /// The player with its settings, except threads.
    player: String,
    threads: u64,
    /// Random seed.
    pub(super) seed: u64,
    /// Number of lines reported at the end.
    pub(super) multipv: u64,
    /// Communication delay, subtracted from the time of a move.
    pub(super) overhead: Duration,
}

impl Settings {
    /// The defaults: the first game of the catalog.
    pub(super) fn new(catalog: &Catalog) -> Settings {
        Settings {
            game: catalog.first_game().into(),
            player: DEFAULT_PLAYER.into(),
            threads: 1,
            seed: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
        }
    }

    /// The `option` lines.
    pub(super) fn offers(catalog: &Catalog) -> impl Iterator<Item = String> {
        let games: String = catalog.families().iter().map(|family| format!(" var {}", family.name)).collect();
        OPTIONS.into_iter().map(move |(name, kind)| {
            let values = if name == "Game" { format!(" {}{games}", catalog.first_game()) } else { String::new() };
            format!("option name {name} type {kind}{values}")
        })
    }

    /// Sets an option; `text` is the argument of `setoption`.
    pub(super) fn set(&mut self, catalog: &Catalog, text: &str) -> Result<Change, TextError> {
        let wrong = || {
            let found = format!("setoption {text:?}");
            TextError::new(found, "expected a name and a value", "try setoption name NAME value VALUE")
        };
        let (name, value) = split_option(text).filter(|(_, value)| !value.is_empty()).ok_or_else(wrong)?;
        let name = name.as_str();
        let known = OPTIONS.iter().map(|(name, _)| *name);
        match known.clone().find(|known| known.eq_ignore_ascii_case(name)) {
            Some("Game") => {
                self.game = catalog.game(value)?.spec();
                return Ok(Change::Game);
            }
            Some("Player") => return self.try_player(catalog, value.to_owned(), self.threads),
            Some("Threads") => return self.try_player(catalog, self.player.clone(), number(name, value, 1, 64)?),
            Some("Seed") => self.seed = number(name, value, 0, u64::MAX)?,
            Some("MultiPV") => self.multipv = number(name, value, 1, 256)?,
            Some("Overhead") => self.overhead = Duration::from_millis(number(name, value, 0, 60_000)?),
            _ => {
                let hint = did_you_mean(name, known.clone());
                let expected = format!("expected one of {}{hint}", known.collect::<Vec<_>>().join(", "));
                return Err(TextError::new(format!("unknown option {name:?}"), expected, "remove it"));
            }
        }
        Ok(Change::Other)
    }

    fn try_player(&mut self, catalog: &Catalog, player: String, threads: u64) -> Result<Change, TextError> {
        let changed = Settings { player, threads, ..self.clone() };
        // Whether the game supports the player is checked with the next position, as a client may set Game after
        // Player.
        catalog.game(&changed.game)?.check_settings(&changed.player()?)?;
        *self = changed;
        Ok(Change::Player)
    }

    /// The player with its threads.
    pub(super) fn player(&self) -> Result<PlayerSpec, TextError> {
        let name = self.player.split(':').next().unwrap_or_default();
        let preset = PRESETS.iter().find(|preset| preset.name == name);
        let has_threads = name == DEFAULT_PLAYER
            || preset.is_some_and(|preset| preset.settings.iter().any(|row| row.name == "threads"));
        if self.threads == 1 || !has_threads || self.player.contains("threads=") {
            return self.player.parse();
        }
        let joint = if self.player.contains(':') { "," } else { ":" };
        format!("{}{joint}threads={}", self.player, self.threads).parse()
    }
}

/// The name and the value of `name NAME value VALUE`; a name may have several words.
fn split_option(text: &str) -> Option<(String, &str)> {
    let ("name", mut rest) = split_word(text) else { return None };
    let mut name = Vec::new();
    loop {
        match split_word(rest) {
            ("", _) => return None,
            ("value", value) if !name.is_empty() => return Some((name.join(" "), value)),
            (word, after) => {
                name.push(word);
                rest = after;
            }
        }
    }
}

fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, TextError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        TextError::new(
            format!("{name} {value:?}"),
            format!("expected a number from {min} to {max}"),
            "choose a value in this range",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_can_be_set_to_its_default() {
        let catalog = crate::builtin();
        let mut settings = Settings::new(&crate::builtin());
        for offer in Settings::offers(&catalog) {
            let name = offer.split(' ').nth(2).expect("a name");
            let default = offer.split(" default ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a default");
            settings.set(&catalog, &format!("name {name} value {default}")).expect(&offer);
        }
        assert_eq!(format!("{settings:?}"), format!("{:?}", Settings::new(&crate::builtin())));
    }

    #[test]
    fn threads_belong_to_players_that_have_them() {
        let catalog = crate::builtin();
        let mut settings = Settings::new(&crate::builtin());
        settings.set(&catalog, "name Threads value 2").expect("threads");
        for (player, expected) in [
            ("mcgs", "mcgs:threads=2"),
            ("best", "best:threads=2"),
            ("uct:c=0.5", "uct:c=0.5,threads=2"),
            ("random", "random"),
            ("mcgs:threads=3", "mcgs:threads=3"),
        ] {
            settings.set(&catalog, &format!("name player value {player}")).expect(player);
            assert_eq!(settings.player().expect(player).to_string(), expected);
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_changes_nothing() {
        let catalog = crate::builtin();
        let mut settings = Settings::new(&crate::builtin());
        settings.set(&catalog, " name\t Seed  value\t1 ").expect("white space of any kind");
        for (text, part) in [
            ("", "setoption name NAME value VALUE"),
            ("name Game", "setoption name NAME"),
            ("name Game value ", "setoption name NAME"),
            ("name Gaem value reversi", "did you mean Game?"),
            ("name Game value connect-four:3x3", "connect-four"),
            ("name Game value chess", "unknown game"),
            ("name Player value utc", "did you mean uct?"),
            ("name Threads value 0", "from 1 to 64"),
            ("name Seed value -1", "from 0"),
        ] {
            let err = settings.set(&catalog, text).expect_err(text).to_string();
            assert!(err.contains(part) && !err.contains('\n'), "{text}: {err}");
        }
        assert_eq!(format!("{settings:?}"), format!("{:?}", Settings::new(&crate::builtin())));
    }
}
