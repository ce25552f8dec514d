//! Shared by the programs that fit weights for Connect Four: self-play games in a file with one line per game.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::ExitCode;

use banyan::catalog::view::Analysis;
use banyan::catalog::{Opening, PlayerSpec, Seat, Session};
use banyan::connect_four::{ConnectFour, Place, Shape, Word};
use banyan::{Game, Limits, MoveList, Notation, Rng, Silent, TextError, builtin, mix};

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// The rules, for what sessions do not expose. Every board that occurs fits.
pub type Rules = ConnectFour<[u64; 3]>;

/// A game in progress.
pub struct SelfPlay {
    pub game: Rules,
    pub state: <Rules as Game>::State,
    /// Number of random moves at the beginning.
    pub n_drawn: u16,
    pub rng: Rng,
    session: Box<dyn Session>,
    player: Seat,
    limits: Limits,
}

impl SelfPlay {
    /// The result of a search, and whether the winner or the margin is proven.
    pub fn search(&mut self) -> Outcome<(Analysis, bool)> {
        let analysis = self.session.choose(self.player, &self.limits, &mut Silent)?;
        let is_decided =
            analysis.proof.is_some_and(|proof| proof.lower > 0 || proof.upper < 0 || proof.lower == proof.upper);
        Ok((analysis, is_decided))
    }

    /// The move that a search chose.
    pub fn best(&self, found: &Analysis) -> Outcome<u8> {
        self.column(found.best.as_deref().ok_or("a search without a move")?)
    }

    /// The move that `text` names.
    pub fn column(&self, text: &str) -> Outcome<u8> {
        Ok(self.game.parse_move(&self.state, text)?)
    }

    /// Whether the next move is one of the random ones.
    pub fn is_drawn(&self) -> bool {
        self.game.ply(&self.state) < self.n_drawn
    }

    fn play(&mut self, mv: u8) -> Outcome<()> {
        self.session.play(&self.game.print_move(&self.state, mv))?;
        self.game.play(&mut self.state, mv);
        Ok(())
    }
}

/// Returns the next move, and appends its text for the file.
pub type Turn = fn(&mut SelfPlay, &mut String) -> Outcome<u8>;

/// Runs the command line: `play PLAYOUTS GAMES FILE [NAME=VALUE ..]`, with at most `most_drawn` random moves at the
/// beginning, or `fit FILE WEIGHTS`.
pub fn run(most_drawn: u32, turn: Turn, fit: fn(&str, &str) -> Outcome<()>) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["play", playouts, games, file, ref settings @ ..] => play(most_drawn, turn, [playouts, games], file, settings),
        ["fit", games, weights] => fit(games, weights),
        _ => {
            let found = format!("{words:?}");
            Err(TextError::new(
                found,
                "play PLAYOUTS GAMES FILE [NAME=VALUE ..], or fit FILE WEIGHTS",
                "use one of these",
            )
            .into())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("error: {err}");
            ExitCode::from(2)
        }
    }
}

fn number(text: &str) -> Result<u64, TextError> {
    text.parse().map_err(|_| TextError::new(text, "a whole number", "see the comment at the top of this program"))
}

/// Plays until the file has `games` games. Another number of playouts gives other boards.
fn play(most_drawn: u32, turn: Turn, [playouts, games]: [&str; 2], file: &str, settings: &[&str]) -> Outcome<()> {
    let (playouts, games) = (number(playouts)?, number(games)?);
    let player: PlayerSpec = format!("mcgs:{}", settings.join(",")).parse()?;
    let before = fs::read_to_string(file).unwrap_or_default();
    let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
    fs::write(file, whole)?;
    let mut out = OpenOptions::new().append(true).open(file)?;
    for number in whole.lines().count() as u64..games {
        let mut rng = Rng::new(mix(number ^ mix(playouts)));
        let (rows, columns) = (9 + rng.below(4), 9 + rng.below(4));
        let hole = Place { column: rng.below(columns), row: rng.below(rows) };
        let mut text = format!("{rows}x{columns},hole={}", hole.name());
        let game = Rules::new(Shape::parse(&text)?);
        let mut session = builtin().game(&game.spec())?.open(Opening::Start)?;
        let player = session.seat(&player, rng.next_u64())?;
        let (state, n_drawn, limits) = (game.start(), rng.below(most_drawn + 1) as u16, Limits::playouts(playouts));
        let mut at = SelfPlay { game, state, n_drawn, rng, session, player, limits };
        while at.game.result(&at.state).is_none() {
            text.push(' ');
            let mv = turn(&mut at, &mut text)?;
            at.play(mv)?;
        }
        writeln!(out, "{text}")?;
        if number % 100 == 99 {
            eprintln!("{} of {games} games", number + 1);
        }
    }
    Ok(())
}

/// Calls `take` for each line of a file of games, with its number, the rules of its board, and the moves.
pub fn read(games: &str, mut take: impl FnMut(usize, &Rules, &str) -> Outcome<()>) -> Outcome<()> {
    let text = fs::read_to_string(games).map_err(|err| format!("{games}: {err}"))?;
    for (number, line) in text.lines().enumerate() {
        let mut read = || {
            let (shape, moves) = line.split_once(' ').ok_or("a game without moves")?;
            let shape = Shape::parse(shape)?;
            if shape.word() == Word::Four {
                let found = format!("a board of {} bits", shape.bits());
                return Err(TextError::new(found, "192 bits at most", "leave such boards out").into());
            }
            take(number, &Rules::new(shape), moves)
        };
        read().map_err(|err: Box<dyn Error>| format!("{games}, line {}: {err}", number + 1))?;
    }
    Ok(())
}

/// Plays the move that a word of the file names.
pub fn replay(game: &Rules, state: &mut <Rules as Game>::State, word: &str) -> Outcome<()> {
    let mut legal = MoveList::new();
    game.moves(state, &mut legal);
    let named = word.parse().ok().filter(|mv| legal.contains(mv));
    let mv = named.ok_or_else(|| TextError::new(word, "a column with room", "play the games again"))?;
    game.play(state, mv);
    Ok(())
}
