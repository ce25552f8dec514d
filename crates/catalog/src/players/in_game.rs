//! What a player is in one game, by the tables of that game.

use banyan_core::TextError;
use banyan_search::Tunable;

use super::game_preset::GamePreset;
use super::level::LEVELS;
use super::tables::GameTables;
use super::{BOOK, Kind, OPPONENT_MODEL, PlayerSpec};
use crate::book::BookSetting;

impl PlayerSpec {
    /// The player that `best` or a level is in a game with these tables, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take, a level that the game does not have, or a published system of another game.
    pub fn in_game(&self, tables: &GameTables) -> Result<PlayerSpec, TextError> {
        if let Kind::Level(name) = self.kind {
            return Ok(PlayerSpec { book: self.book.clone(), ..player_of_level(tables, name)? });
        }
        self.check_game(tables.presets)?;
        let Kind::Best(settings) = &self.kind else { return Ok(self.clone()) };
        // Explicit settings replace those of the table.
        let (name, own) = tables.best.split_once(':').unwrap_or((tables.best, ""));
        let kept = own.split(',').filter(|row| !row.is_empty());
        let kept = kept.filter(|row| settings.iter().all(|(name, _)| row.split('=').next() != Some(name)));
        let given = settings.iter().map(|(name, value)| format!("{name}={value}"));
        let rows: Vec<String> = kept.map(str::to_owned).chain(given).collect();
        // A player that is to err sometimes would not do so in a book.
        let takes_book = !self.handicap.errs() && rows.iter().all(|row| row.split('=').next() != Some(BOOK));
        let book = tables.exact_book.filter(|_| takes_book).map(|_| BookSetting::built_in());
        let player =
            format!("{name}{}{}", if rows.is_empty() { "" } else { ":" }, rows.join(",")).parse::<PlayerSpec>();
        let player = player.map_err(|err| err.at(format_args!("{self}, which is {} here", tables.best)))?;
        Ok(PlayerSpec { handicap: self.handicap, book: book.or(player.book), ..player })
    }

    /// The value of a setting in a game with these tables; `None` if it is not a number or the player does not have it.
    pub fn number(&self, name: &str, tables: Option<&GameTables>) -> Option<f64> {
        self.value(name, tables)?.parse().ok()
    }

    /// The value of a setting in a game with these tables, as text; `None` if the player does not have it.
    pub fn value(&self, name: &str, tables: Option<&GameTables>) -> Option<String> {
        self.settings().iter().find(|row| row.name == name)?;
        if let Some(model) = self.model().filter(|_| name == OPPONENT_MODEL) {
            return Some(model.to_string());
        }
        if let Some(eval) = self.eval().filter(|eval| eval.name() == name) {
            return Some(eval.path().display().to_string());
        }
        let kind = self.kind_in(presets(tables), |_| true).ok()?;
        Some(kind.get(name))
    }

    /// Checks that `variant`, which is this player with other values of the settings `names`, differs from it in these only: a preset of
    /// the game gives way to another one, with other values of further settings, where a setting conflicts with it.
    ///
    /// # Errors
    /// The conflict, or the first further setting that differs.
    pub fn check_variant(
        &self,
        variant: &PlayerSpec,
        names: &[&str],
        tables: Option<&GameTables>,
    ) -> Result<(), TextError> {
        let mut kind = self.kind_in(presets(tables), |_| true)?;
        let changed = variant.kind_in(presets(tables), |_| true)?;
        let is_changed = |row: &&Tunable| names.contains(&row.name);
        for row in self.settings().iter().filter(is_changed) {
            kind.set(row.name, &changed.get(row.name))?;
        }
        kind.check()?;
        match self.settings().iter().find(|row| kind.get(row.name) != changed.get(row.name)) {
            None => Ok(()),
            Some(Tunable { name, .. }) => {
                let (before, after) = (kind.get(name), changed.get(name));
                let found = format!("{} changes {name} from {before} to {after}", names.join(","));
                Err(TextError::new(found, "expected no other setting to change", format!("name {name} too")))
            }
        }
    }
}

fn presets(tables: Option<&GameTables>) -> &[GamePreset] {
    tables.map_or(&[], |tables| tables.presets)
}

/// The player of the level called `name` of the game with these tables.
///
/// # Errors
/// The game does not have this level.
fn player_of_level(tables: &GameTables, name: &str) -> Result<PlayerSpec, TextError> {
    let Some((_, level)) = tables.level(name) else {
        let last = tables.levels.len().min(LEVELS.len());
        let expected = match last {
            0 => "expected another player, for this game has no levels".to_owned(),
            last => format!("expected {} .. {}, the levels of this game", LEVELS[0], LEVELS[last - 1]),
        };
        return Err(TextError::new(format!("player {name}"), expected, "`banyan players` lists them"));
    };
    let player: PlayerSpec = level.text().parse()?;
    debug_assert!(!matches!(player.kind, Kind::Level(_) | Kind::Best(_)), "a level is a player of its own");
    debug_assert!(player.handicap.has_budget(), "a level has a budget of its own");
    Ok(PlayerSpec { handicap: player.handicap.timeless(), ..player })
}
