//! Checks that records are games of a match: planned by its schedule, and legal under its rules up to the result they state.

use banyan_arena::Schedule;
use banyan_catalog::pairs::{EndingKind, GameLine, SideName, Winner};
use banyan_catalog::{AnyGame, BoardRange, Catalog, Opening};
use banyan_core::{Margin, Side, TextError};

use crate::config::MatchConfig;

/// Checks the records of one match.
pub(super) struct Verifier {
    schedule: Schedule,
    names: Vec<String>,
    boards: Boards,
}

enum Boards {
    One(AnyGame),
    /// The board of the last round that was checked: most records of a round follow one another.
    Drawn {
        catalog: Catalog,
        range: BoardRange,
        last: Option<(u64, AnyGame)>,
    },
}

impl Verifier {
    /// # Errors
    /// An invalid configuration.
    pub(super) fn new(catalog: &Catalog, config: &MatchConfig) -> Result<Verifier, TextError> {
        let boards = match BoardRange::parse(&config.game)? {
            Some(range) => Boards::Drawn { catalog: catalog.clone(), range, last: None },
            None => Boards::One(catalog.game(&config.game)?),
        };
        let names = config.players.iter().map(|player| player.name.clone()).collect();
        Ok(Verifier { schedule: config.schedule()?, names, boards })
    }

    /// Checks a record of the file `path`.
    ///
    /// # Errors
    /// A description of the error in one line.
    pub(super) fn check(&mut self, line: &GameLine, path: &str) -> Result<(), TextError> {
        self.check_plan(line).and_then(|()| self.check_rules(line)).map_err(|expected| {
            let remedy = "restore the file, or remove this line to have the game played again";
            TextError::new(format!("game {}.{} of {path}", line.pair, line.game), expected, remedy)
        })
    }

    fn check_plan(&self, line: &GameLine) -> Result<(), String> {
        let of = self.schedule.n_pairs().unwrap_or(u64::MAX);
        let not_here = |why: &str| Err(format!("expected a game of this match, {why}"));
        if line.pair >= of {
            return not_here(&format!("whose pairs are numbered below {of}"));
        }
        let (plan, game) = (self.schedule.plan(line.pair), usize::from(line.game));
        let seats = plan.players(game);
        if line.seats != seats || line.players != seats.map(|seat| self.names[seat].clone()) {
            return not_here(&format!("where {} meets {}", self.names[seats[0]], self.names[seats[1]]));
        }
        if line.seeds != plan.game_seeds[game] {
            let [first, second] = plan.game_seeds[game];
            return not_here(&format!("where its seeds are {first} and {second}"));
        }
        if line.opening != plan.round {
            return not_here(&format!("where it has opening {}", plan.round));
        }
        Ok(())
    }

    fn check_rules(&mut self, line: &GameLine) -> Result<(), String> {
        let game = self.boards.game(&self.schedule, line.pair)?;
        if line.spec != game.spec() {
            return Err(format!("expected a game of this match, which is played on {}", game.spec()));
        }
        let end = game.open(Opening::Moves(&line.moves)).map_err(|err| format!("{}: {}", err.found, err.expected))?;
        let movers = end.movers();
        let opening_plies = usize::from(line.opening_plies);
        if opening_plies > movers.len() {
            return Err(format!("an opening of {opening_plies} plies in {} moves", movers.len()));
        }
        if GameLine::movers_text(line.opening_plies, movers[opening_plies..].iter().copied()) != line.movers {
            return Err("expected the sides that made its moves".to_owned());
        }
        let stated = (line.winner, line.margin, line.fault_by);
        let (expected, how) = match (end.result(), line.ending) {
            (Some(margin), EndingKind::Finished) => ((winner(margin), Some(margin.0), None), margin_in_words(margin)),
            (None, EndingKind::Finished) => return Err("the game is not over after its moves".to_owned()),
            (Some(_), _) => return Err("the game is over, so that nobody lost it by fault".to_owned()),
            (None, _) => {
                let Some(loser) = line.fault_by else { return Err("expected the side that lost by fault".to_owned()) };
                let winner = if loser == SideName::First { Winner::Second } else { Winner::First };
                ((winner, None, Some(loser)), "the other side lost by fault".to_owned())
            }
        };
        let stated_winner = word(stated.0);
        match stated == expected {
            true => Ok(()),
            false if stated.0 != expected.0 => {
                Err(format!("the winner {stated_winner} contradicts the moves: {} ({how})", word(expected.0)))
            }
            false => Err(format!("the margin {} contradicts the moves: {how}", line.margin.unwrap_or_default())),
        }
    }
}

impl Boards {
    fn game(&mut self, schedule: &Schedule, pair: u64) -> Result<&AnyGame, String> {
        match self {
            Boards::One(game) => Ok(&*game),
            Boards::Drawn { catalog, range, last } => {
                let seed = schedule.plan(pair).round_seed;
                if last.as_ref().is_none_or(|(drawn, _)| *drawn != seed) {
                    *last = Some((seed, range.draw(catalog, seed).map_err(|err| err.to_string())?));
                }
                Ok(&last.as_ref().expect("set above").1)
            }
        }
    }
}

fn winner(margin: Margin) -> Winner {
    match margin.winner() {
        Some(Side::First) => Winner::First,
        Some(Side::Second) => Winner::Second,
        None => Winner::Draw,
    }
}

fn word(winner: Winner) -> &'static str {
    match winner {
        Winner::First => "first",
        Winner::Second => "second",
        Winner::Draw => "draw",
    }
}

fn margin_in_words(margin: Margin) -> String {
    format!("margin {}", margin.0)
}
