//! Names, positions and pictures of Dots and Boxes; the names of edges are in `edge_text`.
//!
//! A position is one line of up to four words: the edges, the side to move, the score and the owners of boxes.
//!
//! ```text
//! 11/10/01/111/010 o 1-0 x./..
//! ```
//!
//! The edges are OpenSpiel's string, `0` or `1` per edge in the order of their numbers, with `/` between the lines of
//! the board. The last two words may be missing: then the score is 0-0, or the owners are unknown.

use banyan_bits::Bits;
use banyan_core::{Cell, Edge, Game, Notation, Picture, Side, Structure, TextError, play_words};

use super::edge_text::{number, quoted};
use super::shape::Shape;
use super::{DotsAndBoxes, State};

const SIDES: [char; 2] = ['x', 'o'];

impl<B: Bits> Notation for DotsAndBoxes<B> {
    const NAME: &'static str = "dots-and-boxes";

    const SUMMARY: &'static str =
        "draw edges; who completes a box scores it and draws again; more boxes win (options: ROWSxCOLUMNS of boxes)";

    fn from_options(options: &str) -> Result<Self, TextError> {
        let shape = Shape::parse(options)?;
        if shape.bits() > B::WIDTH {
            let found = format!("dots-and-boxes:{}", shape.size());
            let expected = format!("expected a board of fewer edges than the {} bits of this word", B::WIDTH);
            return Err(TextError::new(found, expected, format!("choose a word of {} bits or more", shape.bits())));
        }
        Ok(DotsAndBoxes::new(shape))
    }

    fn options(&self) -> String {
        self.layout.shape.options()
    }

    /// `h2,3` or `v1,0`: direction, row and column of the left or upper dot.
    fn print_move(&self, _state: &State<B>, mv: u8) -> String {
        self.layout.shape.edge_name(mv)
    }

    fn action_id(&self, mv: u8) -> Option<u16> {
        Some(mv.into())
    }

    /// An edge by the output of [`print_move`](Notation::print_move), its number, its two dots `0,1-0,2`, a box by its upper left dot with
    /// the side of it, `0,1 top` or `0,1n`, or OpenSpiel's name of an action, `P1(h,4,3)`, which also names the player; in any letter
    /// case.
    fn parse_move(&self, state: &State<B>, text: &str) -> Result<u8, TextError> {
        self.read_move(state, text)
    }

    /// Moves separated by spaces, semicolons or commas; a comma after a letter and a number belongs to the move. Moves of several words
    /// are written in one: `0,1-0,2`, `0,1top`.
    fn parse_moves(&self, state: &State<B>, text: &str) -> Result<Vec<u8>, TextError> {
        play_words(self, state, self.move_words(text))
    }

    fn print_position(&self, state: &State<B>) -> String {
        let shape = self.layout.shape;
        let edges = (0..shape.n_edges()).map(|edge| if state.drawn.has(edge) { '1' } else { '0' });
        let [first, second] = state.scored;
        let edges = in_lines(edges, shape.line_lengths());
        let mut text = format!("{edges} {} {first}-{second}", SIDES[state.mover.index()]);
        if !state.owned.is_empty() {
            let owners = (0..shape.n_boxes()).map(|number| self.owner(state, number).map_or('.', |s| SIDES[s.index()]));
            text.push(' ');
            text.push_str(&in_lines(owners, (0..shape.rows()).map(|_| shape.columns() as usize)));
        }
        text
    }

    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if !(2..=4).contains(&words.len()) {
            let expected = "expected edges, side to move and perhaps score and owners, separated by spaces";
            let remedy = format!("write it like {}", self.print_position(&self.start()));
            return Err(TextError::new(format!("position of {} words", words.len()), expected, remedy));
        }
        let mut state = self.start();
        state.drawn = self.parse_edges(words[0])?;
        state.mover = parse_side(words[1])?;
        let closed = self.layout.closed(state.drawn).count() as u8;
        state.open -= closed;
        if let Some(score) = words.get(2) {
            state.scored = parse_score(score, closed)?;
        }
        if let Some(owners) = words.get(3) {
            state.owned = self.parse_owners(owners, &state)?;
        }
        Ok(state)
    }

    fn picture(&self, state: &State<B>, last: Option<u8>) -> Option<Picture> {
        let shape = self.layout.shape;
        let cell = |number| Cell { owner: self.owner(state, number), ..Cell::default() };
        let edge = |edge: u8| Edge { drawn: state.drawn.has(u32::from(edge)), last: last == Some(edge) };
        Some(Picture {
            rows: shape.rows() as usize,
            columns: shape.columns() as usize,
            cells: (0..shape.n_boxes()).map(cell).collect(),
            edges: Some((0..shape.n_edges() as u8).map(edge).collect()),
            column_labels: (0..shape.columns()).map(|column| column.to_string()).collect(),
            row_labels: (0..shape.rows()).map(|row| row.to_string()).collect(),
        })
    }

    fn structure(&self, state: &State<B>) -> Option<Structure> {
        self.result(state).is_none().then(|| self.structure_in_words(state))
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["X", "O"][side.index()]
    }
}

impl<B: Bits> DotsAndBoxes<B> {
    /// The owner of box `number`, if known.
    fn owner(&self, state: &State<B>, number: u32) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| state.owned.has(self.owned_number(number, side)))
    }

    fn parse_edges(&self, text: &str) -> Result<B, TextError> {
        let shape = self.layout.shape;
        let signs = signs_of(text, shape.line_lengths(), "edges")?;
        let mut drawn = B::EMPTY;
        for (edge, sign) in (0..).zip(signs) {
            match sign {
                '1' => drawn = drawn.or(B::single(edge)),
                '0' => {}
                _ => {
                    let found = format!("{sign:?} as edge {edge}");
                    return Err(TextError::new(
                        found,
                        "expected 1 for a drawn edge, 0 for one not drawn",
                        "correct it",
                    ));
                }
            }
        }
        Ok(drawn)
    }

    /// Parses the owners of the boxes of `state`, which has its edges and score.
    fn parse_owners(&self, text: &str, state: &State<B>) -> Result<B, TextError> {
        let shape = self.layout.shape;
        let signs = signs_of(text, (0..shape.rows()).map(|_| shape.columns() as usize), "boxes")?;
        let mut owned = B::EMPTY;
        let mut counts = [0; 2];
        for (number, sign) in (0..).zip(signs) {
            let Some(side) = Side::BOTH.into_iter().find(|side| SIDES[side.index()] == sign.to_ascii_lowercase())
            else {
                if sign == '.' {
                    continue;
                }
                return Err(TextError::new(
                    format!("{sign:?} as box {number}"),
                    "expected x, o or a full stop",
                    "correct it",
                ));
            };
            if !self.layout.boxes[number as usize].and_not(state.drawn).is_empty() {
                let found = format!("{sign:?} as box {number}, which is open");
                return Err(TextError::new(found, "expected owners of closed boxes only", "put a full stop there"));
            }
            owned = owned.or(B::single(self.owned_number(number, side)));
            counts[side.index()] += 1;
        }
        if counts[0] > state.scored[0] || counts[1] > state.scored[1] {
            let expected = format!("expected no more than the score {}-{}", state.scored[0], state.scored[1]);
            return Err(TextError::new(
                format!("{}-{} owned boxes", counts[0], counts[1]),
                expected,
                "correct one of them",
            ));
        }
        Ok(owned)
    }
}

/// Puts `/` between lines of these lengths.
fn in_lines(mut signs: impl Iterator<Item = char>, lengths: impl Iterator<Item = usize>) -> String {
    let lines: Vec<String> = lengths.map(|length| signs.by_ref().take(length).collect()).collect();
    lines.join("/")
}

/// The signs of `text` without the slashes, which are allowed only between lines of these lengths.
fn signs_of(text: &str, lengths: impl Iterator<Item = usize>, what: &str) -> Result<Vec<char>, TextError> {
    let ends: Vec<usize> = lengths.scan(0, |end, length| Some(*end + length).inspect(|&sum| *end = sum)).collect();
    let wanted = *ends.last().expect("a board has lines");
    let mut signs = Vec::with_capacity(wanted);
    let mut after_slash = false;
    for sign in text.chars() {
        let slash = sign == '/';
        if slash && (after_slash || signs.len() >= wanted || !ends.contains(&signs.len())) {
            let expected = "expected slashes between the lines of the board only";
            return Err(TextError::new(format!("a slash after {} {what}", signs.len()), expected, "leave it out"));
        }
        if !slash {
            signs.push(sign);
        }
        after_slash = slash;
    }
    if signs.len() != wanted {
        let found = format!("{} {what}", signs.len());
        return Err(TextError::new(found, format!("expected {wanted} on this board"), "write one sign for each"));
    }
    Ok(signs)
}

fn parse_side(text: &str) -> Result<Side, TextError> {
    let side = Side::BOTH.into_iter().find(|side| text.eq_ignore_ascii_case(&SIDES[side.index()].to_string()));
    side.ok_or_else(|| {
        TextError::new(
            format!("side {}", quoted(text)),
            "expected x (who began) or o",
            "write the side to move after the edges",
        )
    })
}

/// `3-2`: three boxes of `First` and two of `Second`, at most `closed` together.
fn parse_score(text: &str, closed: u8) -> Result<[u8; 2], TextError> {
    let score = text.split_once('-').and_then(|(first, second)| Some((number(first)?, number(second)?)));
    let Some((first, second)) = score else {
        return Err(TextError::new(
            format!("score {}", quoted(text)),
            "expected boxes of x and of o",
            "write it like 3-2",
        ));
    };
    // Each number is below 1000, so the sum cannot overflow.
    if first + second > u32::from(closed) {
        let expected = format!("expected no more boxes than the {closed} closed ones");
        return Err(TextError::new(format!("score {text}"), expected, "correct the score or the edges"));
    }
    Ok([first as u8, second as u8])
}
