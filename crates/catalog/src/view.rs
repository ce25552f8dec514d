//! JSON views of analyses, explored searches and solved positions: one object per line, each with the version of its form in `v`.

mod structure;

use banyan_core::{Bounds, Side};
use banyan_search::Goal;
use serde::{Deserialize, Serialize};

pub use structure::{FactView, PartView, StructureView};

/// The version of every form but [`Solved`].
pub const VERSION: u32 = 1;

/// The version of [`Solved`]: version 1 had `value` instead of `margin`.
pub const SOLVED_VERSION: u32 = 2;

/// Proven bounds of the final margin in points, seen by the side to move of the position analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// It gets at least this.
    pub lower: i16,
    /// It gets at most this.
    pub upper: i16,
}

impl Proof {
    /// The bounds as `side` sees them.
    pub(crate) fn seen_by(bounds: Bounds, side: Side) -> Proof {
        let (lower, upper) = bounds.seen_by(side);
        Proof { lower, upper }
    }

    /// Both proofs together.
    pub(crate) fn and(self, other: Proof) -> Proof {
        Proof { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// As the other side sees it.
    pub(crate) fn of_other_side(self) -> Proof {
        Proof { lower: -self.upper, upper: -self.lower }
    }

    /// 1, 0 or -1, if it decides the outcome.
    pub fn outcome(self) -> Option<i16> {
        match (self.lower, self.upper) {
            (1.., _) => Some(1),
            (_, ..0) => Some(-1),
            (0, 0) => Some(0),
            _ => None,
        }
    }

    /// The moves of the winner until the end, if the margin is exact and counts what the winner has to spare; `plies` are left until the
    /// board is full, and the sides take turns.
    fn moves_to_end(self, plies: u16) -> Option<u16> {
        let is_exact = self.lower == self.upper && self.lower != 0;
        let own = if self.lower > 0 { plies.div_ceil(2) } else { plies / 2 };
        is_exact.then(|| own.saturating_sub(self.lower.unsigned_abs() - 1))
    }

    /// In a few words: `win +3`, `loss -9 .. -2`, `draw`, `-5 .. 0`.
    pub fn in_words(&self) -> String {
        let points = |n: i16| if n == 0 { "0".to_owned() } else { format!("{n:+}") };
        let range = match (self.lower, self.upper) {
            (0, 0) => return "draw".into(),
            (lower, upper) if lower == upper => points(lower),
            (lower, upper) => format!("{} .. {}", points(lower), points(upper)),
        };
        match (self.lower, self.upper) {
            (1.., _) => format!("win {range}"),
            (_, ..0) => format!("loss {range}"),
            _ => range,
        }
    }
}

/// The analysis of one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its number in OpenSpiel's version of the game; `None` in games without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u16>,
    /// Visits.
    pub visits: u64,
    /// Expected result for the side to move: -1 certain loss … 1 certain win; `None` if nothing or only a bound is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Expected final margin in points for the side to move; `None` if unknown, and from players that expect none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Upper bounds, from alpha-beta for a move that is not one of its lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
    /// Proven bounds of the final margin, if any.
    pub proof: Option<Proof>,
    /// The moves of the winner until the end, the next one included, if they are proven and the margin of the game counts stones to spare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_in: Option<u16>,
    /// The line expected to follow, beginning with the move.
    pub pv: Vec<String>,
}

/// Upper bounds of a move, found by a search to its depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtMost {
    /// Of the expected result for the side to move, -1 .. 1.
    pub value: f64,
    /// Of the expected final margin in points for the side to move; `None` in games without margins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// The answer of a player to a position, also while it still thinks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// [`VERSION`].
    pub v: u32,
    /// The game specification.
    pub game: String,
    /// The position as one line of text.
    pub position: String,
    /// `first` or `second`.
    pub to_move: String,
    /// The move chosen; `None` when the game is over.
    pub best: Option<String>,
    /// Expected result for the side to move: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Expected final margin in points for the side to move; `None` from players that expect none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Proven bounds of the final margin, if any.
    pub proof: Option<Proof>,
    /// The moves of the winner until the end, if they are proven and the margin of the game counts stones to spare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_in: Option<u16>,
    /// Playouts, or evaluated leaves.
    pub playouts: u64,
    /// The last finished depth of alpha-beta; `None` from other players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes held.
    pub nodes: u64,
    /// Share of the earlier search that was reused, 0 .. 1.
    pub reused: f64,
    /// Wall-clock time.
    pub elapsed_ms: f64,
    /// CPU time of the process.
    pub cpu_ms: f64,
    /// Memory held by the search.
    pub memory_bytes: u64,
    /// Whether the move is one of a book: without playouts and depth of an opening book, instead of a search, and then `nodes` and the visits
    /// of the moves are positions of the book; otherwise a book of exact values proves it best.
    #[serde(default, skip_serializing_if = "is_false")]
    pub book: bool,
    /// The line expected to follow.
    pub pv: Vec<String>,
    /// Every move considered, best first.
    pub moves: Vec<MoveView>,
    /// The structure of the position by the theory of the game; `None` unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<StructureView>,
    /// The name of the opening; `None` unless requested, and if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Analysis {
    /// Expected share of the point for the side to move, in percent.
    pub fn win_percent(&self) -> f64 {
        win_percent(self.value)
    }

    /// Adds a proof of the position.
    pub(crate) fn narrow(&mut self, proof: Proof) {
        let proof = self.proof.map_or(proof, |before| before.and(proof));
        self.proof = Some(proof);
        self.value = proof.outcome().map_or(self.value, f64::from);
        self.margin = proven_margin(proof).or(self.margin);
    }

    /// Counts the moves until the end of proven wins, where `plies` are left until the board is full.
    pub(crate) fn count_moves(&mut self, plies: u16) {
        self.ends_in = self.proof.and_then(|proof| proof.moves_to_end(plies));
        for mv in &mut self.moves {
            mv.ends_in = mv.proof.and_then(|proof| proof.moves_to_end(plies));
        }
    }
}

/// The margin of an exact proof.
fn proven_margin(proof: Proof) -> Option<f64> {
    (proof.lower == proof.upper).then_some(proof.lower.into())
}

impl MoveView {
    /// Adds a proof of the move, which replaces a value or bound that is not proven.
    pub(crate) fn narrow(&mut self, proof: Proof) {
        let proof = self.proof.map_or(proof, |before| before.and(proof));
        self.proof = Some(proof);
        if let Some(outcome) = proof.outcome() {
            (self.value, self.at_most) = (Some(outcome.into()), None);
        }
        self.margin = proven_margin(proof).or(self.margin);
    }

    /// Expected share of the point for the side to move, in percent; `None` without a value.
    pub fn win_percent(&self) -> Option<f64> {
        self.value.map(win_percent)
    }
}

impl AtMost {
    /// The bound of the expected share of the point for the side to move, in percent.
    pub fn win_percent(&self) -> f64 {
        win_percent(self.value)
    }
}

/// The top of a player's search of a position: the most visited positions and the moves between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exploration {
    /// [`VERSION`].
    pub v: u32,
    /// The game specification.
    pub game: String,
    /// The position searched, as one line of text.
    pub position: String,
    /// The names of the sides at the board, `first` before `second`.
    pub sides: [String; 2],
    /// The position searched, then the others by decreasing visits; each once, even if several moves lead to it.
    pub nodes: Vec<NodeView>,
}

/// One position of an [`Exploration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeView {
    /// The position as one line of text, as reached by one of the lines that lead to it.
    pub position: String,
    /// `first` or `second`.
    pub to_move: String,
    /// Visits.
    pub visits: u64,
    /// Expected result for the side to move here: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Proven bounds of the final margin for the side to move here, if any.
    pub proof: Option<Proof>,
    /// The moves, by decreasing visits.
    pub edges: Vec<EdgeView>,
}

/// One move of a [`NodeView`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Visits.
    pub visits: u64,
    /// Expected result for the side that makes the move: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Probability given to the move before it was tried, 0 .. 1.
    pub prior: Option<f64>,
    /// Proven bounds of the final margin for the side that makes the move, if any.
    pub proof: Option<Proof>,
    /// Index in `nodes` of the position it leads to; `null` if that one is not listed.
    pub to: Option<usize>,
}

impl NodeView {
    /// Expected share of the point for the side to move here, in percent.
    pub fn win_percent(&self) -> f64 {
        win_percent(self.value)
    }
}

impl EdgeView {
    /// Expected share of the point for the side that makes the move, in percent.
    pub fn win_percent(&self) -> f64 {
        win_percent(self.value)
    }
}

pub(crate) fn win_percent(value: f64) -> f64 {
    50.0 * (value + 1.0)
}

/// Proven bounds of a position and its moves, in points of the final margin, including points already scored, seen by the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// [`SOLVED_VERSION`].
    pub v: u32,
    /// The game specification.
    pub game: String,
    /// The position as one line of text.
    pub position: String,
    /// `first` or `second`.
    pub to_move: String,
    /// The margin under best play; `null` if it is not proven.
    pub margin: Option<i16>,
    /// It gets at least this.
    pub lower: i16,
    /// It gets at most this.
    pub upper: i16,
    /// Every move proven to reach the margin; empty if the margin is not proven, or the game is over.
    pub best: Vec<String>,
    /// Every legal move, best first.
    pub moves: Vec<SolvedMove>,
    /// The principal variation of `banyan solve` with a proven margin, up to the first move that was not proven; with [`Goal::Winner`] and no
    /// margin, a line that keeps the winner; else empty.
    #[serde(default)]
    pub pv: Vec<String>,
    /// Positions visited.
    pub nodes: u64,
    /// Wall-clock time.
    pub elapsed_ms: f64,
    /// Memory held by the solver.
    pub memory_bytes: u64,
    /// The book of exact values that has the position, in words: `book of outcomes after 8 moves`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
}

/// Proven bounds of one move, in points of the final margin, seen by the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The margin after it; `null` if it is not proven.
    pub margin: Option<i16>,
    /// It gets at least this.
    pub lower: i16,
    /// It gets at most this.
    pub upper: i16,
}

impl Solved {
    /// Proven bounds of the margin of the position.
    pub fn proof(&self) -> Proof {
        Proof { lower: self.lower, upper: self.upper }
    }

    /// Whether `goal` is proven.
    pub fn reaches(&self, goal: Goal) -> bool {
        match goal {
            Goal::Winner => self.lower >= 1 || self.upper <= -1 || self.margin.is_some(),
            Goal::Value => self.margin.is_some(),
            Goal::BestMoves => self.knows_best_moves(),
            Goal::Everything => self.is_complete(),
        }
    }

    /// Whether the margins of the position and of every move are known.
    pub fn is_complete(&self) -> bool {
        self.margin.is_some() && self.moves.iter().all(|mv| mv.margin.is_some())
    }

    /// Whether the margin is known, and of every move whether it reaches it.
    pub fn knows_best_moves(&self) -> bool {
        self.margin.is_some_and(|margin| self.moves.iter().all(|mv| mv.margin.is_some() || mv.upper < margin))
    }
}

impl SolvedMove {
    /// Proven bounds of the margin after the move.
    pub fn proof(&self) -> Proof {
        Proof { lower: self.lower, upper: self.upper }
    }
}

/// A side as `to_move` names it.
pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// `value` as one line of JSON.
pub fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("views hold only text, numbers and lists of them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_proven_win_is_counted_in_moves_of_the_winner() {
        // On 42 cells each side has 21 stones; the margin is the stones to spare + 1.
        for (lower, upper, plies, expected) in [
            (18, 18, 36, Some(1)),
            (-18, -18, 36, Some(1)),
            (-17, -17, 35, Some(1)),
            (1, 1, 42, Some(21)),
            (1, 1, 1, Some(1)),
            (2, 3, 10, None),
            (0, 0, 10, None),
        ] {
            assert_eq!(Proof { lower, upper }.moves_to_end(plies), expected, "{lower} .. {upper}, {plies}");
        }
    }

    #[test]
    fn a_proof_is_put_into_words() {
        for (lower, upper, words) in [
            (0, 0, "draw"),
            (3, 3, "win +3"),
            (2, 18, "win +2 .. +18"),
            (-9, -2, "loss -9 .. -2"),
            (-4, -4, "loss -4"),
            (-5, 0, "-5 .. 0"),
            (0, 7, "0 .. +7"),
        ] {
            assert_eq!(Proof { lower, upper }.in_words(), words);
        }
    }

    fn keys(json: &str) -> Vec<String> {
        let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
        value.as_object().expect("an object").keys().cloned().collect()
    }

    /// The names are an interface: programs written by others read them.
    #[test]
    fn an_analysis_has_the_documented_names() {
        let mv = MoveView {
            mv: "4".into(),
            id: None,
            visits: 7,
            value: Some(0.5),
            margin: Some(1.25),
            at_most: Some(AtMost { value: 0.5, margin: None }),
            proof: None,
            ends_in: None,
            pv: vec!["4".into()],
        };
        let analysis = Analysis {
            v: VERSION,
            game: "connect-four".into(),
            position: "p".into(),
            to_move: "first".into(),
            best: Some("4".into()),
            value: 0.5,
            margin: Some(1.25),
            proof: Some(Proof { lower: -1, upper: 3 }),
            ends_in: Some(2),
            playouts: 7,
            depth: Some(3),
            nodes: 8,
            reused: 0.0,
            elapsed_ms: 1.5,
            cpu_ms: 1.0,
            memory_bytes: 256,
            book: true,
            pv: vec!["4".into()],
            moves: vec![mv],
            structure: Some(StructureView { facts: Vec::new(), parts: Vec::new() }),
            opening: Some("Tiger".into()),
        };
        let json = json_line(&analysis);
        assert!(json.starts_with(r#"{"v":1,"game":"connect-four","#), "{json}");
        assert!(json.contains(r#""proof":{"lower":-1,"upper":3}"#), "{json}");
        assert!(
            json.contains(
                r#""moves":[{"move":"4","visits":7,"value":0.5,"margin":1.25,"at_most":{"value":0.5},"proof":null,"pv":["4"]}]"#
            ),
            "{json}"
        );
        let expected = "best book cpu_ms depth elapsed_ms ends_in game margin memory_bytes moves nodes opening playouts position proof pv reused structure to_move v value";
        assert_eq!(keys(&json), expected.split(' ').collect::<Vec<_>>());
        assert_eq!(serde_json::from_str::<Analysis>(&json).expect("an analysis"), analysis);
        assert_eq!(analysis.win_percent(), 75.0);
    }

    #[test]
    fn a_solution_has_the_documented_names() {
        let mv = |mv: &str, margin, lower, upper| SolvedMove { mv: mv.into(), margin, lower, upper };
        let solved = Solved {
            v: SOLVED_VERSION,
            game: "dots-and-boxes:1x2".into(),
            position: "p".into(),
            to_move: "second".into(),
            margin: Some(2),
            lower: 2,
            upper: 2,
            best: vec!["h0,0".into()],
            moves: vec![mv("h0,0", Some(2), 2, 2), mv("v0,0", None, -2, 1)],
            pv: vec!["h0,0".into()],
            nodes: 7,
            elapsed_ms: 0.5,
            memory_bytes: 64,
            book: Some("book of outcomes after 8 moves".into()),
        };
        let json = json_line(&solved);
        let expected = "best book elapsed_ms game lower margin memory_bytes moves nodes position pv to_move upper v";
        assert_eq!(keys(&json), expected.split(' ').collect::<Vec<_>>());
        assert!(json.contains(r#""moves":[{"move":"h0,0","margin":2,"lower":2,"upper":2},{"#), "{json}");
        assert!(json.contains(r#"{"move":"v0,0","margin":null,"lower":-2,"upper":1}]"#), "{json}");
        assert_eq!(serde_json::from_str::<Solved>(&json).expect("a solution"), solved);
        assert!(!json_line(&Solved { book: None, ..solved }).contains("book"));
    }

    #[test]
    fn a_solution_is_complete_when_every_move_is_exact() {
        let with = |margin, moves: &[(Option<i16>, i16)]| {
            let mv = |&(margin, upper)| SolvedMove { mv: "1".into(), margin, lower: -4, upper };
            let (game, position, to_move) = (String::new(), String::new(), String::new());
            let (best, pv, moves) = (Vec::new(), Vec::new(), moves.iter().map(mv).collect());
            let (v, nodes, elapsed_ms, memory_bytes) = (SOLVED_VERSION, 0, 0.0, 0);
            Solved {
                v,
                game,
                position,
                to_move,
                margin,
                lower: -4,
                upper: 4,
                best,
                moves,
                pv,
                nodes,
                elapsed_ms,
                memory_bytes,
                book: None,
            }
        };
        assert!(with(Some(2), &[(Some(2), 2), (Some(1), 1)]).is_complete());
        let bounded = with(Some(2), &[(Some(2), 2), (None, 1)]);
        assert!(!bounded.is_complete() && bounded.knows_best_moves());
        assert!(!with(Some(2), &[(Some(2), 2), (None, 2)]).knows_best_moves());
        assert!(!with(None, &[(Some(2), 2)]).is_complete());
        assert!(with(Some(2), &[]).is_complete());
    }
}
