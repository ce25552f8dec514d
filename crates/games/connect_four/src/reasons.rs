//! Why a move loses something: wins that were missed or allowed, at once or by force, and threats that decide by the parity of their row.

use banyan_core::{Game, Line, Mistake, Notation, Reason, Side};

use super::{ConnectFour, Grid, State};

/// The most moves of a forced win that is searched for, those of the winner alone. Guess: people follow no longer ones.
const FORCED_MOVES: u32 = 7;
/// The most positions visited for a forced win. Guess: a few milliseconds.
const FORCED_NODES: u32 = 50_000;
/// The most reasons for one mistake.
const MOST_REASONS: usize = 2;

/// A mistake with the positions after both moves, in which the other side is to move.
struct Compared<'a, B> {
    before: &'a State<B>,
    after: State<B>,
    better: State<B>,
    mistake: &'a Mistake<u8>,
    /// The side that made the mistake.
    mover: Side,
}

impl<B: Grid> ConnectFour<B> {
    /// The reasons of a mistake, for [`Knowledge::reasons`](banyan_core::Knowledge::reasons).
    pub(super) fn reasons(&self, before: &State<B>, mistake: &Mistake<u8>) -> Vec<Reason> {
        let compared = Compared {
            before,
            after: self.played(before, mistake.mv),
            better: self.played(before, mistake.better.moves[0]),
            mistake,
            mover: self.to_move(before),
        };
        if let Some(missed) = self.missed_win(&compared) {
            return vec![missed];
        }
        let decisive = [
            ConnectFour::allowed_win,
            ConnectFour::missed_forced_win,
            ConnectFour::allowed_forced_win,
            ConnectFour::threat_given_up,
            ConnectFour::deciding_threat,
            ConnectFour::deciding_threat_missed,
        ];
        let found: Vec<Reason> = decisive.iter().filter_map(|find| find(self, &compared)).take(MOST_REASONS).collect();
        if !found.is_empty() {
            return found;
        }
        self.allowed_threat(&compared).or_else(|| self.missed_threat(&compared)).into_iter().collect()
    }

    /// The mover could complete four at once.
    fn missed_win(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let win = self.wins(at.before).ones().next()?;
        Some(self.about_cell(Reason::new("missed-win", at.mover), win).name("win", self.move_to(at.before, win)))
    }

    /// The other side can complete four at once: on top of the stone, or where it was to be blocked.
    fn allowed_win(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let win = self.wins(&at.after).ones().next()?;
        let is_above = self.column(win) == at.mistake.mv;
        let kind = if is_above { "plays-under" } else { "win-not-blocked" };
        let reason = Reason::new(kind, !at.mover).name("win", self.move_to(&at.after, win));
        self.wins(&at.better).is_empty().then(|| self.about_cell(reason, win))
    }

    /// The mover could win by a series of threats, each of which must be answered.
    fn missed_forced_win(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let line = self.forced_win(at.before).filter(|line| line.len() > 1 && line[0] != at.mistake.mv)?;
        let reason =
            self.forced(at.before, &line, ["missed-double-threat", "missed-stacked-threats", "missed-forced-win"]);
        Some(Reason { line: self.in_words(at.before, &line), ..reason })
    }

    /// The other side can win by a series of threats, which it cannot after the better move.
    fn allowed_forced_win(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let line = self.forced_win(&at.after).filter(|line| line.len() > 1)?;
        if self.forced_win(&at.better).is_some() {
            return None;
        }
        let kinds = ["allows-double-threat", "allows-stacked-threats", "allows-forced-win"];
        let reason = self.forced(&at.after, &line, kinds);
        let whole = [&[at.mistake.mv], line.as_slice()].concat();
        Some(Reason { line: self.in_words(at.before, &whole), ..reason })
    }

    /// A forced win from `state`: its first move makes two threats at once, or two right above one another, or it is longer.
    fn forced(&self, state: &State<B>, line: &[u8], [double, stacked, longer]: [&'static str; 3]) -> Reason {
        let winner = self.to_move(state);
        let threatening = self.played(state, line[0]);
        let threats = self.threats(&threatening);
        let wins: Vec<u32> = threats.other.and(threats.landing[0]).ones().collect();
        let reason = |kind| Reason::new(kind, winner).name("first", self.print_move(state, line[0]));
        let is_short = line.len() == 3;
        match wins[..] {
            [one, two, ..] if is_short => self.about_cells(reason(double), [one, two]),
            [one] if is_short => {
                let last = line[2];
                let above = self.landed(&self.played(&threatening, line[1]), last);
                self.about_cells(reason(stacked), [one, above])
            }
            _ => reason(longer).number("n", line.len().div_ceil(2) as i32),
        }
    }

    /// The stone lies right below a cell on which its own side completes four, so that the other side can block it.
    fn threat_given_up(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let threats = self.threats(&at.after);
        let above = threats.landing[0].and(self.columns[usize::from(at.mistake.mv)]);
        let given_up = above.and(threats.other).and(self.threats(at.before).own).ones().next()?;
        let is_other_column = at.mistake.better.moves[0] != at.mistake.mv;
        is_other_column.then(|| self.about_cell(Reason::new("threat-given-up", !at.mover), given_up))
    }

    /// The mover is proven to lose, by a four on a cell that the other side threatens now: at last the mover must play below it.
    fn deciding_threat(&self, at: &Compared<'_, B>) -> Option<Reason> {
        // Not by the mistake itself, if that was played below it.
        let is_lost = at.mistake.after.seen_by(at.mover).1 < 0 && at.mistake.answer.moves.len() > 1;
        let whole = [&[at.mistake.mv], at.mistake.answer.moves.as_slice()].concat();
        let line = Line { moves: whole, is_proven: at.mistake.answer.is_proven };
        let cell = is_lost.then(|| self.decided_on(at.before, &line, !at.mover)).flatten()?;
        self.threats(&at.after).own.has(cell).then(|| self.decision(at, cell, !at.mover, line.moves))
    }

    /// The mover is proven to win after the better move, by a four on a cell that it threatens then.
    fn deciding_threat_missed(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let was_won = at.mistake.before.seen_by(at.mover).0 > 0;
        let line = &at.mistake.better;
        let cell = was_won.then(|| self.decided_on(at.before, line, at.mover)).flatten()?;
        self.threats(&at.better).other.has(cell).then(|| self.decision(at, cell, at.mover, line.moves.clone()))
    }

    fn decision(&self, at: &Compared<'_, B>, cell: u32, winner: Side, line: Vec<u8>) -> Reason {
        let is_odd = self.place(cell).row.is_multiple_of(2);
        let kind = match (winner == at.mover, is_odd) {
            (false, true) => "odd-threat-decides",
            (false, false) => "even-threat-decides",
            (true, true) => "odd-threat-missed",
            (true, false) => "even-threat-missed",
        };
        Reason { line: self.in_words(at.before, &line), ..self.about_cell(Reason::new(kind, winner), cell) }
    }

    /// The cell on which a proven line to the end of the game completes four for `winner`, if the other side has just played below it.
    fn decided_on(&self, start: &State<B>, line: &Line<u8>, winner: Side) -> Option<u32> {
        let (&last, before_last) = line.moves.split_last().filter(|_| line.is_proven)?;
        let below = *before_last.last()?;
        let state = before_last.iter().fold(*start, |state, &mv| self.played(&state, mv));
        let is_decided = self.to_move(&state) == winner && self.played(&state, last).won && below == last;
        is_decided.then(|| self.landed(&state, last))
    }

    /// The expected answer makes a threat that the other side does not have after the better move and its answer.
    fn allowed_threat(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let answer = *at.mistake.answer.moves.first()?;
        let had = self.threats(&at.after).own.or(self.threats(&at.better).own);
        let other_answer = at.mistake.better.moves.get(1).map(|&mv| self.threats(&self.played(&at.better, mv)).other);
        let now = self.threats(&self.played(&at.after, answer)).other;
        let new = now.and_not(had).and_not(other_answer.unwrap_or(B::EMPTY)).ones().next()?;
        let name = self.print_move(&at.after, answer);
        Some(self.about_cell(Reason::new("allows-threat", !at.mover).name("answer", name), new))
    }

    /// The better move makes a threat, and the move that was made makes none.
    fn missed_threat(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let [had, made, missed] =
            [self.threats(at.before).own, self.threats(&at.after).other, self.threats(&at.better).other];
        let new = missed.and_not(had).ones().next().filter(|_| made.and_not(had).is_empty())?;
        Some(self.about_cell(Reason::new("missed-threat", at.mover), new))
    }

    /// The shortest win of the side to move by threats: every move of it but the last threatens to complete four at once, so that the
    /// other side, which cannot win itself, must block. `None` if none is found.
    fn forced_win(&self, state: &State<B>) -> Option<Vec<u8>> {
        let mut nodes = FORCED_NODES;
        (1..=FORCED_MOVES).find_map(|most| self.forced_within(state, most, &mut nodes))
    }

    fn forced_within(&self, state: &State<B>, most: u32, nodes: &mut u32) -> Option<Vec<u8>> {
        if self.result(state).is_some() {
            return None;
        }
        if let Some(win) = self.wins(state).ones().next() {
            return Some(vec![self.column(win)]);
        }
        *nodes = nodes.checked_sub(1)?;
        let threats = self.threats(state);
        let kept = self.holding(threats.landing[0], threats.other, self.below(threats.other))?;
        let tries = if most > 1 { kept } else { B::EMPTY };
        tries.ones().find_map(|bit| {
            let mv = self.column(bit);
            let next = self.played(state, mv);
            let threats = self.threats(&next);
            let block = threats.other.and(threats.landing[0]).ones().next().map(|bit| self.column(bit));
            let block = block.filter(|_| self.wins(&next).is_empty())?;
            let rest = self.forced_within(&self.played(&next, block), most - 1, nodes)?;
            Some([&[mv, block], rest.as_slice()].concat())
        })
    }

    /// The cells on which the side to move completes four at once.
    fn wins(&self, state: &State<B>) -> B {
        if self.result(state).is_some() {
            return B::EMPTY;
        }
        let threats = self.threats(state);
        threats.own.and(threats.landing[0])
    }

    fn played(&self, state: &State<B>, mv: u8) -> State<B> {
        let mut next = *state;
        self.play(&mut next, mv);
        next
    }

    /// The cell on which a stone in this column lands.
    fn landed(&self, state: &State<B>, mv: u8) -> u32 {
        self.landing(state.filled).and(self.columns[usize::from(mv)]).lowest()
    }

    fn move_to(&self, state: &State<B>, bit: u32) -> String {
        self.print_move(state, self.column(bit))
    }

    fn in_words(&self, state: &State<B>, line: &[u8]) -> Vec<String> {
        line.iter().map(|&mv| self.print_move(state, mv)).collect()
    }

    fn about_cell(&self, reason: Reason, bit: u32) -> Reason {
        let place = self.place(bit);
        let reason = reason.name("cell", place.name()).number("row", place.row as i32 + 1);
        Reason { cells: vec![self.picture_cell(place)], ..reason }
    }

    fn about_cells(&self, reason: Reason, bits: [u32; 2]) -> Reason {
        let [one, two] = bits.map(|bit| self.place(bit));
        let reason = reason.name("cell", one.name()).name("cell2", two.name());
        Reason { cells: vec![self.picture_cell(one), self.picture_cell(two)], ..reason }
    }
}
