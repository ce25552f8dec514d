//! The public library: the players of the built-in games against plain searches and known values, their presets, the
//! fitted weights, and a user-defined game.
//!
//! Built-in games are played through sessions of the catalog, so that their searches are not compiled again here; their
//! rules are used directly for the reference searches only.

mod alpha_beta;
mod alpha_beta_player;
mod alpha_beta_threads;
mod built_in_book;
mod connect_four_node_eval;
mod levels;
mod presets;
mod priors;
mod proofs;
mod published;
mod random_games;
mod solved;
mod symmetric_moves;
mod three_in_a_row;

use banyan::catalog::view::Analysis;
use banyan::catalog::{AnyGame, Opening, PlayerSpec, Seat, Session};
use banyan::{Game, Limits, Notation, Rng, Silent};
use banyan_testkit::{after, listed};

const ALPHA_BETA: [&str; 3] = ["negamax", "pvs", "mtdf"];

/// Boards of Connect Four of the sizes that its weights were fitted to.
const FITTED_BOARDS: [&str; 4] = ["9x9,hole=e5", "10x12,hole=h4", "12x12,hole=a1", "12x9,hole=d8"];

/// A board of a built-in game: its rules, for reference searches, and the same board in the catalog, for players.
struct Board<G> {
    game: G,
    in_catalog: AnyGame,
}

impl<G: Notation> Board<G> {
    fn new(options: &str) -> Board<G> {
        let game = G::from_options(options).expect(options);
        let in_catalog = banyan::builtin().game(&game.spec()).expect("the same board");
        Board { game, in_catalog }
    }

    /// A session that begins with this position.
    fn open(&self, state: &G::State) -> Session {
        let position = self.game.print_position(state);
        self.in_catalog.open(Opening::Position(&position)).expect("a position as the game prints it")
    }
}

/// A session at the start of a built-in game.
fn start(spec: &str) -> Session {
    let game = banyan::builtin().game(spec).expect(spec);
    game.open(Opening::Start).expect("a start")
}

fn player(text: &str) -> PlayerSpec {
    text.parse().unwrap_or_else(|err| panic!("{err}"))
}

fn seat(session: &mut Session, text: &str) -> Seat {
    session.seat(&player(text), 1).unwrap_or_else(|err| panic!("{err}"))
}

/// The analysis of the position by a new player.
fn choose(session: &mut Session, text: &str, limits: &Limits) -> Analysis {
    let seat = seat(session, text);
    session.choose(seat, limits, &mut Silent).expect("a built-in search does not fail")
}

/// The move chosen in a position that is not over.
fn best(analysis: &Analysis) -> &str {
    analysis.best.as_deref().expect("the game is not over")
}

/// Whether the final margin is proven.
fn is_proven(analysis: &Analysis) -> bool {
    analysis.proof.is_some_and(|proof| proof.lower == proof.upper)
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn nodes(n: u64) -> Limits {
    Limits { nodes: Some(n), ..Limits::default() }
}

/// The position after `plies` random moves, or the last one before the end of the game.
fn random_position<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> G::State {
    let mut state = game.start();
    for _ in 0..plies {
        let moves = listed(game, &state);
        let next = after(game, &state, moves[rng.below(moves.len() as u32) as usize]);
        if game.result(&next).is_some() {
            break;
        }
        state = next;
    }
    state
}
