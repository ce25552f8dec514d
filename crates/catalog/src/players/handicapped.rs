//! A player with a handicap: it searches within a separate budget, and sometimes takes the second-best move on purpose.

use banyan_core::{
    ErasedGame, Explored, Fault, Game, Limits, Margin, Player, Report, Rng, SearchObserver, Situation, mix,
};

use super::handicap::Handicap;

/// Separates its random choices from those of the player, which has the same seed.
const STREAM: u64 = 0x5ec0_4d8e_5700_0001;

/// A player with a handicap.
pub(crate) struct Handicapped {
    handicap: Handicap,
    player: Box<dyn Player<ErasedGame>>,
    rng: Rng,
    /// Whether it takes the second-best move this time.
    errs: bool,
}

impl Handicapped {
    pub(crate) fn new(handicap: Handicap, player: Box<dyn Player<ErasedGame>>) -> Handicapped {
        Handicapped { handicap, player, rng: Rng::new(STREAM), errs: false }
    }

    /// The report of its search with its choice.
    fn with_choice(&self, at: &Situation<'_, ErasedGame>, report: Report<u16>) -> Report<u16> {
        if self.errs && !wins_at_once(at, report.best) { second_best(report) } else { report }
    }
}

impl Player<ErasedGame> for Handicapped {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        // Drawn for every move, so that one choice does not shift the later ones.
        self.errs = self.rng.unit() < self.handicap.second_best;
        let report = self.player.choose(at, &self.handicap.limits(limits), observer)?;
        Ok(self.with_choice(at, report))
    }

    fn resume(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Option<Result<Report<u16>, Fault>> {
        let report = self.player.resume(at, observer)?;
        Some(report.map(|report| self.with_choice(at, report)))
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(mix(seed ^ STREAM));
        self.player.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, ErasedGame>, observer: &mut dyn SearchObserver<u16>) -> Result<(), Fault> {
        self.player.prepare(at, observer)
    }

    fn game_over(&mut self, result: Margin) {
        self.player.game_over(result);
    }

    fn explored(&self, at: &Situation<'_, ErasedGame>, most_nodes: usize) -> Option<Explored<u16>> {
        self.player.explored(at, most_nodes)
    }
}

/// Whether `mv` ends the game with a win of the side that plays it.
fn wins_at_once(at: &Situation<'_, ErasedGame>, mv: u16) -> bool {
    let mut next = at.state.clone();
    at.game.play(&mut next, mv);
    at.game.result(&next).is_some_and(|margin| margin.seen_by(at.game.to_move(at.state)) > 0)
}

/// The report with its second move as the choice; unchanged if it has only one.
fn second_best<M: PartialEq + Copy>(mut report: Report<M>) -> Report<M> {
    let Some(place) = report.moves.iter().position(|stat| stat.mv != report.best) else { return report };
    let chosen = report.moves.remove(place);
    report.best = chosen.mv;
    report.value = chosen.value;
    report.margin = chosen.margin;
    report.proof = None;
    report.pv = chosen.pv.clone();
    report.moves.insert(0, chosen);
    report
}

#[cfg(test)]
mod tests {
    use banyan_core::MoveStat;

    use super::*;

    fn report(moves: &[u8]) -> Report<u8> {
        let stat = |&mv: &u8| MoveStat {
            mv,
            visits: 1,
            value: 1.0 / f64::from(mv),
            margin: None,
            is_bound: false,
            proof: None,
            pv: vec![mv, 9],
        };
        Report { moves: moves.iter().map(stat).collect(), ..Report::bare(moves[0], std::time::Duration::ZERO) }
    }

    #[test]
    fn the_second_move_takes_the_place_of_the_best() {
        let found = second_best(report(&[1, 2, 3]));
        assert_eq!((found.best, found.value, found.pv), (2, 0.5, vec![2, 9]));
        assert_eq!(found.moves.iter().map(|stat| stat.mv).collect::<Vec<_>>(), [2, 1, 3]);
    }

    #[test]
    fn an_only_move_is_played() {
        assert_eq!(second_best(report(&[1])), report(&[1]));
        let bare = Report::bare(1, std::time::Duration::ZERO);
        assert_eq!(second_best(bare.clone()), bare);
    }
}
