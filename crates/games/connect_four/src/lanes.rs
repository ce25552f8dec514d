//! `threat` playouts in vector lanes: one move in each of sixteen games at once, by the same rules as a single playout.
//!
//! A vector holds one column of the board for each of the games, 16 bits of cells each: horizontal neighbours of a cell
//! are in other vectors, so that lines take few shifts and no carries between words. The code is plain arrays and loops
//! over the games, with masks instead of branches, which the compiler vectorises; results are the same on every
//! processor.

use std::ops::{Index, IndexMut};

use super::Shape;

/// Games played at once.
pub(super) const GAMES: usize = 16;

pub(super) const COLUMNS: usize = Shape::MAX_COLUMNS as usize;

/// Empty columns on either side of the board: lines of four reach at most three columns beyond it.
pub(super) const MARGIN: usize = 3;

/// A number per game: cells of a column, bit 0 the lowest row; a count; or a mask, all ones or zero.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct PerGame(pub(super) [u16; GAMES]);

impl PerGame {
    pub(super) const ZERO: PerGame = PerGame([0; GAMES]);
}

impl Index<usize> for PerGame {
    type Output = u16;

    #[inline(always)]
    fn index(&self, game: usize) -> &u16 {
        &self.0[game]
    }
}

impl IndexMut<usize> for PerGame {
    #[inline(always)]
    fn index_mut(&mut self, game: usize) -> &mut u16 {
        &mut self.0[game]
    }
}

/// The columns of a board, the same for every game.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) n: usize,
    /// Cells that are no holes.
    valid: [PerGame; COLUMNS],
    holes: [PerGame; COLUMNS],
}

impl Columns {
    pub(super) fn of(shape: &Shape) -> Columns {
        let (mut valid, mut holes) = ([PerGame::ZERO; COLUMNS], [PerGame::ZERO; COLUMNS]);
        for place in shape.places() {
            let set = if shape.is_hole(place) { &mut holes } else { &mut valid };
            set[place.column as usize].0.iter_mut().for_each(|cells| *cells |= 1 << place.row);
        }
        Columns { n: shape.columns() as usize, valid, holes }
    }
}

/// Stones and winning cells of one side.
pub(super) struct SideBoards {
    /// `[MARGIN + columns + MARGIN]`
    pub(super) stones: [PerGame; COLUMNS + 2 * MARGIN],
    /// Cells that complete four, stones among them.
    wins: [PerGame; COLUMNS],
    /// Mask: this side had a choice at some move.
    pub(super) chose: PerGame,
}

impl SideBoards {
    pub(super) const EMPTY: SideBoards = SideBoards {
        stones: [PerGame::ZERO; COLUMNS + 2 * MARGIN],
        wins: [PerGame::ZERO; COLUMNS],
        chose: PerGame::ZERO,
    };

    /// Recomputes `wins`.
    #[inline(always)]
    pub(super) fn complete(&mut self, columns: &Columns) {
        // Three stones of the six nearest on a line.
        let line = |[a, b, c, d, e, f]: [u16; 6]| (b & c & (a | d)) | (d & e & (c | f));
        for column in 0..columns.n {
            let near: &[PerGame; 7] = self.stones[column..].first_chunk().expect("three columns on either side");
            let wins = &mut self.wins[column];
            for g in 0..GAMES {
                let [a, b, c, own, d, e, f] = [0, 1, 2, 3, 4, 5, 6].map(|i: usize| near[i][g]);
                let level = line([a, b, c, d, e, f]);
                let rising = line([a << 3, b << 2, c << 1, d >> 1, e >> 2, f >> 3]);
                let falling = line([a >> 3, b >> 2, c >> 1, d << 1, e << 2, f << 3]);
                let upright = own << 1 & own << 2 & own << 3;
                wins[g] = (level | rising | falling | upright) & columns.valid[column][g];
            }
        }
    }
}

/// The boards apart from the stones' owners, and the possible moves.
pub(super) struct Boards {
    /// Stones and holes.
    pub(super) filled: [PerGame; COLUMNS],
    /// Moves that do not hand over a win.
    safe: [PerGame; COLUMNS],
    /// Safe moves that use up no own threat.
    spare: [PerGame; COLUMNS],
}

/// The games that ended in a step.
pub(super) struct Ends {
    /// Mask: games that are over.
    pub(super) ended: PerGame,
    /// Not 0 where the mover wins at once.
    pub(super) win: PerGame,
    /// Mask: if it does not win at once, it has lost, or the board is full.
    pub(super) no_move: PerGame,
}

/// The conditions of the rules.
struct RuleConditions {
    /// Not 0 where the mover wins at once.
    win: PerGame,
    /// Not 0 where it must block.
    block: PerGame,
    /// Not 0 where a safe move wins in three plies.
    stack: PerGame,
    n_safe: PerGame,
    n_spare: PerGame,
}

/// The allowed moves and the random choice among them.
struct Choice {
    /// Masks: any safe move is allowed, not only a block; any, not only a spare one.
    any_safe: PerGame,
    any_spare: PerGame,
    /// The rank from the left of the move to play among the allowed ones; out of range for none.
    rank: PerGame,
}

impl Boards {
    pub(super) const EMPTY: Boards =
        Boards { filled: [PerGame::ZERO; COLUMNS], safe: [PerGame::ZERO; COLUMNS], spare: [PerGame::ZERO; COLUMNS] };

    /// One move of `mover` in every game that is neither over nor `idle` (a mask), by 16 bits of `random` each. Games
    /// that end may play one too, without effect on the result.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        columns: &Columns,
        [mover, other]: [&mut SideBoards; 2],
        random: &PerGame,
        idle: &PerGame,
    ) -> Ends {
        let conditions = self.evaluate_rules(columns, mover, other);
        let choice = choose(&conditions, random, idle);
        let n_left = self.play(columns, &choice, mover, other);
        end(&conditions, &n_left, idle, mover)
    }

    /// Finds the safe and spare moves, and the conditions of the rules.
    #[inline(always)]
    fn evaluate_rules(&mut self, columns: &Columns, mover: &SideBoards, other: &SideBoards) -> RuleConditions {
        // Local variables stay in registers.
        let [mut win, mut block, mut stack, mut n_safe, mut n_spare] = [PerGame::ZERO; 5];
        for c in 0..columns.n {
            for g in 0..GAMES {
                let (own, enemy, holes) = (mover.wins[c][g], other.wins[c][g], columns.holes[c][g]);
                let landing = self.filled[c][g].wrapping_add(1) & columns.valid[c][g];
                // Right above a landing cell, past adjacent holes. Other holes stay in the sum; none of them is in
                // `wins`.
                let second = (landing << 1).wrapping_add(holes);
                let harmless = mask(enemy & second == 0);
                let safe = landing & harmless;
                let threat = own & second & harmless;
                let spare = safe & mask(threat == 0);
                win[g] |= own & landing;
                block[g] |= enemy & landing;
                stack[g] |= own & (threat << 1).wrapping_add(holes);
                n_safe[g] = n_safe[g].wrapping_sub(some(safe));
                n_spare[g] = n_spare[g].wrapping_sub(some(spare));
                self.safe[c][g] = safe;
                self.spare[c][g] = spare;
            }
        }
        RuleConditions { win, block, stack, n_safe, n_spare }
    }

    /// Plays the chosen moves; returns the number of allowed moves.
    #[inline(always)]
    fn play(&mut self, columns: &Columns, choice: &Choice, mover: &mut SideBoards, other: &SideBoards) -> PerGame {
        let mut passed = PerGame::ZERO;
        for c in 0..columns.n {
            for g in 0..GAMES {
                let by_block = other.wins[c][g] | choice.any_safe[g];
                let by_save = self.spare[c][g] | choice.any_spare[g];
                let left = self.safe[c][g] & by_block & by_save;
                let stone = left & mask(passed[g] == choice.rank[g]);
                passed[g] = passed[g].wrapping_sub(some(left));
                mover.stones[MARGIN + c][g] |= stone;
                self.filled[c][g] |= stone;
            }
        }
        passed
    }
}

/// Chooses by the rules and at random. If there is a threat to block, the first safe block is chosen: with a second one
/// the game is lost.
#[inline(always)]
fn choose(conditions: &RuleConditions, random: &PerGame, idle: &PerGame) -> Choice {
    let mut choice = Choice { any_safe: PerGame::ZERO, any_spare: PerGame::ZERO, rank: PerGame::ZERO };
    for g in 0..GAMES {
        let must_block = some(conditions.block[g]);
        let only_spare = some(conditions.n_spare[g]) & !must_block;
        let n_moves = ((conditions.n_spare[g] & only_spare) | (conditions.n_safe[g] & !only_spare)) & !must_block;
        // The probabilities of two moves differ by at most 2^-16, a share of n_moves / 2^16 or at most 2^-12.
        let rank = ((u32::from(random[g]) * u32::from(n_moves)) >> 16) as u16;
        choice.any_safe[g] = !must_block;
        choice.any_spare[g] = !only_spare;
        choice.rank[g] = rank | idle[g];
    }
    choice
}

/// Finds the games that are over; in the others records whether the mover had a choice.
///
/// Why the ends are exact: see [`ConnectFour::holding`](super::ConnectFour::holding). Two cases that a single playout
/// detects at once take one or two steps more here, with the same result and without a choice on the way: a safe block
/// beside one that hands over a win, and two own threats above a block.
#[inline(always)]
fn end(conditions: &RuleConditions, n_left: &PerGame, idle: &PerGame, mover: &mut SideBoards) -> Ends {
    let mut ends = Ends { ended: PerGame::ZERO, win: conditions.win, no_move: PerGame::ZERO };
    for g in 0..GAMES {
        let must_block = some(conditions.block[g]);
        let no_move = mask(n_left[g] == 0) | (must_block & mask(n_left[g] != 1));
        let stacked = !mask(conditions.stack[g] == 0) & !must_block;
        let ended = (!mask(conditions.win[g] == 0) | no_move | stacked) & !idle[g];
        mover.chose[g] |= mask(conditions.n_safe[g] > 1) & !must_block & !ended & !idle[g];
        ends.ended[g] = ended;
        ends.no_move[g] = no_move;
    }
    ends
}

/// All ones if `yes`.
#[inline(always)]
fn mask(yes: bool) -> u16 {
    if yes { u16::MAX } else { 0 }
}

/// All ones if `x` is not 0; it is a count, or cells of a board, which has no row 15, so the sign bit is free.
#[inline(always)]
fn some(x: u16) -> u16 {
    mask(x as i16 > 0)
}
