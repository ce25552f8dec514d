//! `threat` playouts: win at once, block, never hand over a win, and do not use up own threats.

use banyan_bits::{BitOps, Bits};
use banyan_core::{Bounds, Game, Margin, MoveList, Playout, Rng, Side, keep_value};

use super::layout::{BoardLayout, ColumnLayout, WordLayout, prefers_columns_alone};
use super::{ConnectFour, ConnectFourKnowledge, Grid, State, ThreatRules};

/// Stones and winning cells of one side. A stone changes them for its own side only.
#[derive(Clone, Copy)]
struct SideCells<C> {
    stones: C,
    /// Cells that complete four; stones, holes and cells off the board may be among them.
    wins: C,
}

/// The state of a running playout.
#[derive(Clone, Copy)]
pub(super) struct Line<C> {
    mover: SideCells<C>,
    other: SideCells<C>,
    /// Stones and holes.
    filled: C,
    /// Number of stones.
    ply: u16,
    /// Bit 0: `First` had a choice at some move; bit 1: `Second` had.
    chose: u32,
}

/// The result of the rules for one move.
enum Step<C> {
    /// Decided: a side wins after this many further plies.
    Won(Winner, u16),
    /// The mover plays a random column of `pick`.
    Play {
        pick: C,
        /// Whether no single move was proven best.
        had_choice: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Winner {
    Mover,
    Other,
}

impl<B: Grid> ConnectFour<B> {
    /// One playout by `rules`, with the bounds that it proves. One number is drawn per move. Without `save` this is the
    /// same as [`tactical_playout`](banyan_core::tactical_playout), with the same draws. For a game that is over,
    /// returns its result.
    #[inline(never)]
    pub fn threat_playout(&self, state: State<B>, rules: ThreatRules, rng: &mut Rng) -> Playout {
        // A constant, so that the other layout is not compiled.
        if const { prefers_columns_alone::<B>() } {
            self.threat_playout_in(&ColumnLayout::new(&self.packing), state, rules, rng)
        } else {
            self.threat_playout_in(&WordLayout { game: self }, state, rules, rng)
        }
    }

    #[inline(always)]
    fn threat_playout_in<V: BoardLayout<B>>(
        &self,
        layout: &V,
        state: State<B>,
        rules: ThreatRules,
        rng: &mut Rng,
    ) -> Playout {
        let bounds = self.bounds(&state);
        if bounds.is_exact() {
            return Playout::new(bounds.lower, bounds);
        }
        let mut line = Line::new::<B, V>(layout, layout.load(&state), state.ply, 0);
        let mut draws = rng.clone();
        let margin = if rules == ThreatRules::ALL {
            self.finish(layout, &mut line, |_| true, &mut draws)
        } else {
            self.finish(layout, &mut line, |rule| rules.has(rule), &mut draws)
        };
        *rng = draws;
        line.proves(margin, bounds)
    }

    /// A [`threat_playout`](ConnectFour::threat_playout) with the same draws, whose moves to the end of the game are
    /// appended to `played`: from where the rules prove the value on, moves that keep it.
    #[inline(never)]
    pub fn record_threat_playout(
        &self,
        mut state: State<B>,
        rules: ThreatRules,
        rng: &mut Rng,
        played: &mut MoveList<u8>,
    ) -> Playout {
        let (layout, bounds) = (WordLayout { game: self }, self.bounds(&state));
        let mut line = Line::new::<B, WordLayout<'_, B>>(&layout, layout.load(&state), state.ply, 0);
        let margin = if bounds.is_exact() {
            bounds.lower
        } else {
            loop {
                let before = line.filled;
                if let Some(margin) = self.advance(&layout, &mut line, &|rule| rules.has(rule), rng) {
                    break margin;
                }
                let mv = self.column(line.filled.xor(before).lowest());
                self.play(&mut state, mv);
                played.push(mv);
            }
        };
        line.proves(keep_value(self, &ConnectFourKnowledge, state, margin, played), bounds)
    }

    /// Plays to the end of the game and returns the final margin.
    #[inline(always)]
    pub(super) fn finish<V: BoardLayout<B>>(
        &self,
        layout: &V,
        line: &mut Line<V::Cells>,
        follows: impl Fn(ThreatRules) -> bool,
        draws: &mut Rng,
    ) -> Margin {
        loop {
            if let Some(margin) = self.advance(layout, line, &follows, draws) {
                return margin;
            }
        }
    }

    /// Plays one move; returns the final margin if the game is over or its value known.
    #[inline(always)]
    pub(super) fn advance<V: BoardLayout<B>>(
        &self,
        layout: &V,
        line: &mut Line<V::Cells>,
        follows: &impl Fn(ThreatRules) -> bool,
        draws: &mut Rng,
    ) -> Option<Margin> {
        let side = if line.ply.is_multiple_of(2) { Side::First } else { Side::Second };
        let landing = layout.landing(line.filled);
        let pick = match line.step::<B, V>(layout, landing, follows) {
            Step::Won(winner, plies) => {
                let winner = if winner == Winner::Mover { side } else { !side };
                return Some(Margin::won_by(winner, self.points_at(line.ply + plies)));
            }
            Step::Play { pick, had_choice } => {
                line.chose |= u32::from(had_choice) << (line.ply % 2);
                pick
            }
        };
        let stone = layout.cell(landing, pick, draws.below(pick.count()));
        line.ply += 1;
        if !follows(ThreatRules::WIN) && !V::is_empty(V::both(line.mover.wins, stone)) {
            return Some(Margin::won_by(side, self.points_at(line.ply)));
        }
        if line.ply == self.cells {
            return Some(Margin::DRAW);
        }
        line.filled = V::either(line.filled, stone);
        (line.mover, line.other) = (line.other, SideCells::of::<B, V>(layout, V::either(line.mover.stones, stone)));
        None
    }
}

impl<C: Copy> SideCells<C> {
    #[inline(always)]
    fn of<B, V: BoardLayout<B, Cells = C>>(layout: &V, stones: C) -> SideCells<C> {
        SideCells { stones, wins: layout.completions(stones) }
    }
}

impl<C: Copy> Line<C> {
    /// A playout from the position `cells`, as [`BoardLayout::load`] returns it, with `ply` stones; for `chose` see the
    /// field.
    #[inline(always)]
    pub(super) fn new<B, V: BoardLayout<B, Cells = C>>(layout: &V, cells: [C; 3], ply: u16, chose: u32) -> Line<C> {
        let [own, enemy, filled] = cells;
        let side = |stones| SideCells::of::<B, V>(layout, stones);
        Line { mover: side(own), other: side(enemy), filled, ply, chose }
    }

    /// The playout result: `margin`, with the bounds that the line proves for its starting position, within `bounds`.
    ///
    /// Every end of a line is the exact margin under best play of the position it ends at, so the argument of
    /// `tactical_playout` holds: as long as all moves of one side were its only ones, or the only ones left by rules
    /// that keep a best move, the margin bounds the value from that side.
    #[inline(always)]
    pub(super) fn proves(&self, margin: Margin, bounds: Bounds) -> Playout {
        let lower = if self.chose & 2 == 0 { margin } else { bounds.lower };
        let upper = if self.chose & 1 == 0 { margin } else { bounds.upper };
        Playout::new(margin, Bounds { lower, upper })
    }

    /// The wins returned are exact: a win at once; else, if the mover has none, the cases of
    /// [`holding`](ConnectFour::holding) whose rules `follows` includes. A mover that has a win but does not
    /// follow the rule `win` is not restricted by the other rules.
    #[inline(always)]
    fn step<B, V: BoardLayout<B, Cells = C>>(
        &self,
        layout: &V,
        landing: C,
        follows: &impl Fn(ThreatRules) -> bool,
    ) -> Step<V::Columns> {
        let (own, enemy) = (self.mover.wins, self.other.wins);
        let wins = V::both(own, landing);
        let can_win = !V::is_empty(wins);
        if can_win && follows(ThreatRules::WIN) {
            return Step::Won(Winner::Mover, 1);
        }
        // Most often no threat matters now. Testing that first lets the processor speculate while the threats are still
        // being computed. (Measured by words against updating the cells below all threats from ply to ply: 1.25 times
        // as fast on 6x7, 1.27 on 9x9, 1.05 on 12x12; by columns against no test: 1.08 times on 12x12.)
        let second = layout.second(self.filled, landing);
        let (threats, blocks) = (V::both(own, second), V::both(enemy, landing));
        let opened = V::both(enemy, second);
        let columns = layout.columns(landing);
        if V::is_empty(V::either(V::either(blocks, opened), threats)) && !can_win {
            return Step::Play { pick: columns, had_choice: columns.count() > 1 };
        }
        let (blocks, safe) = (layout.columns(blocks), columns.and_not(layout.columns_under(opened)));
        let kept = match kept(columns, blocks, safe, follows) {
            Some(kept) => kept,
            None if can_win => columns,
            None => return Step::Won(Winner::Other, 2),
        };
        if follows(ThreatRules::STACK) && !can_win && !V::is_empty(threats) {
            let stacked = layout.columns_far_under(threats, own);
            if holding(blocks, safe).is_some_and(|held| !held.and(stacked).is_empty()) {
                return Step::Won(Winner::Mover, 3);
            }
        }
        let had_choice = if can_win { columns.count() > 1 } else { kept.count() > 1 };
        let spare = kept.and_not(layout.columns_under(threats));
        let pick = if follows(ThreatRules::SAVE) && !spare.is_empty() { spare } else { kept };
        Step::Play { pick, had_choice }
    }
}

/// The columns that the rules `block` and `safe` leave of `columns`, if followed: `None` if they prove the game lost. A
/// best move is among them if the mover has no win at once, since each rule leaves out only moves that lose as soon as
/// one can. The other side has a win now in `blocks`; `safe` are the columns that do not give it a new one.
#[inline(always)]
fn kept<C: Bits>(columns: C, blocks: C, safe: C, follows: &impl Fn(ThreatRules) -> bool) -> Option<C> {
    if follows(ThreatRules::BLOCK) && (follows(ThreatRules::SAFE) || !blocks.is_empty()) {
        return holding(blocks, safe);
    }
    if follows(ThreatRules::SAFE) {
        return (!safe.is_empty()).then_some(safe);
    }
    Some(columns)
}

/// The columns after which the other side, which has a win now in `blocks` and gets one by any column that is not
/// `safe`, has no win at once: `None` if it wins after every move. See [`ConnectFour::holding`].
#[inline(always)]
pub(super) fn holding<C: Bits>(blocks: C, safe: C) -> Option<C> {
    let kept = if blocks.is_empty() { safe } else { safe.and(blocks) };
    let two_to_block = blocks.count() > 1;
    (!two_to_block && !kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use banyan_core::random_move;

    use super::super::Shape;
    use super::*;

    #[test]
    fn both_layouts_play_the_same_games_with_the_same_draws() {
        fn check<B: Grid>(options: &str) {
            let game = ConnectFour::<B>::new(Shape::parse(options).expect("a board"));
            for seed in 0..200 {
                let (mut state, mut rng) = (game.start(), Rng::new(seed));
                for _ in 0..seed % 30 {
                    let mv = random_move(&game, &state, &mut rng, &mut Vec::new());
                    game.play(&mut state, mv);
                    if game.result(&state).is_some() {
                        break;
                    }
                }
                for rules in [ThreatRules::ALL, ThreatRules::WIN.with(ThreatRules::BLOCK), ThreatRules::NONE] {
                    let (mut one, mut other) = (Rng::new(seed), Rng::new(seed));
                    let by_word = game.threat_playout_in(&WordLayout { game: &game }, state, rules, &mut one);
                    let by_columns =
                        game.threat_playout_in(&ColumnLayout::new(&game.packing), state, rules, &mut other);
                    assert_eq!(by_word, by_columns, "{options} {state:?} by {rules}");
                    assert_eq!(one.next_u64(), other.next_u64(), "{options}: different number of draws");
                }
            }
        }
        check::<u64>("6x7");
        check::<u128>("10x11,hole=d3,hole=d4,hole=k9,hole=k10,hole=f1,hole=f2");
        check::<[u64; 3]>("12x12,hole=g6");
        check::<[u64; 4]>("15x16,hole=h8,hole=p15,hole=a1");
    }
}
