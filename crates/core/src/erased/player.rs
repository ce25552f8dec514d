//! Players without the type of their game, and players of a game from those.

use std::sync::Arc;

use super::{ErasedGame, ErasedState};
use crate::{
    Explored, ExploredEdge, ExploredNode, Fault, Flow, Game, Limits, Margin, MoveCode, MoveStat, Notation, Player,
    Report, SearchObserver, Situation,
};

/// A player of `game` as a player of the game without its type.
pub fn erase_player<G: Notation>(game: Arc<G>, player: Box<dyn Player<G>>) -> Box<dyn Player<ErasedGame>> {
    Box::new(Erased { game, player })
}

/// The other way: a player of `erased`, which is a game of type `G`, as a player of that game.
pub fn restore_player<G: Notation>(erased: ErasedGame, player: Box<dyn Player<ErasedGame>>) -> Box<dyn Player<G>> {
    Box::new(Restored { erased, player })
}

struct Erased<G: Game> {
    game: Arc<G>,
    player: Box<dyn Player<G>>,
}

struct Restored {
    erased: ErasedGame,
    player: Box<dyn Player<ErasedGame>>,
}

/// An observer of reports whose moves are of another type.
struct Translated<'a, M>(&'a mut dyn SearchObserver<M>);

impl<A: MoveCode, B: MoveCode> SearchObserver<A> for Translated<'_, B> {
    fn stopped(&mut self) -> bool {
        self.0.stopped()
    }

    fn paused(&mut self) -> bool {
        self.0.paused()
    }

    fn progress(&mut self, report: &Report<A>) -> Flow {
        self.0.progress(&translated(report))
    }
}

/// Moves as moves of another type with the same codes.
fn moves<A: MoveCode, B: MoveCode>(moves: &[A]) -> Vec<B> {
    moves.iter().map(|&mv| B::from_code(mv.code())).collect()
}

fn translated<A: MoveCode, B: MoveCode>(report: &Report<A>) -> Report<B> {
    let stat = |stat: &MoveStat<A>| MoveStat {
        mv: B::from_code(stat.mv.code()),
        visits: stat.visits,
        value: stat.value,
        margin: stat.margin,
        is_bound: stat.is_bound,
        proof: stat.proof,
        pv: moves(&stat.pv),
    };
    Report {
        best: B::from_code(report.best.code()),
        value: report.value,
        margin: report.margin,
        proof: report.proof,
        moves: report.moves.iter().map(stat).collect(),
        pv: moves(&report.pv),
        playouts: report.playouts,
        depth: report.depth,
        nodes: report.nodes,
        reused: report.reused,
        memory_bytes: report.memory_bytes,
        elapsed: report.elapsed,
        from_book: report.from_book,
    }
}

fn translated_nodes<A: MoveCode, B: MoveCode>(explored: Explored<A>) -> Explored<B> {
    let edge = |edge: ExploredEdge<A>| ExploredEdge {
        mv: B::from_code(edge.mv.code()),
        visits: edge.visits,
        value: edge.value,
        prior: edge.prior,
        proof: edge.proof,
        to: edge.to,
    };
    let node = |node: ExploredNode<A>| ExploredNode {
        to_move: node.to_move,
        visits: node.visits,
        value: node.value,
        proof: node.proof,
        edges: node.edges.into_iter().map(edge).collect(),
    };
    Explored { nodes: explored.nodes.into_iter().map(node).collect() }
}

impl<G: Notation> Erased<G> {
    /// Calls the player with the situation in its own types.
    fn call<T>(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        call: impl FnOnce(&mut dyn Player<G>, &Situation<'_, G>) -> T,
    ) -> T {
        let (start, state) = (at.start.typed(), at.state.typed());
        call(&mut *self.player, &Situation { game: &*self.game, start, played: &moves(at.played), state })
    }
}

impl<G: Notation> Player<ErasedGame> for Erased<G> {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        let report = self.call(at, |player, at| player.choose(at, limits, &mut Translated(observer)))?;
        Ok(translated(&report))
    }

    fn resume(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Option<Result<Report<u16>, Fault>> {
        let report = self.call(at, |player, at| player.resume(at, &mut Translated(observer)))?;
        Some(report.map(|report| translated(&report)))
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, ErasedGame>, observer: &mut dyn SearchObserver<u16>) -> Result<(), Fault> {
        self.call(at, |player, at| player.prepare(at, &mut Translated(observer)))
    }

    fn game_over(&mut self, result: Margin) {
        self.player.game_over(result);
    }

    fn explored(&self, at: &Situation<'_, ErasedGame>, most_nodes: usize) -> Option<Explored<u16>> {
        let (start, state, played) = (at.start.typed(), at.state.typed(), moves(at.played));
        let at = Situation { game: &*self.game, start, played: &played, state };
        self.player.explored(&at, most_nodes).map(translated_nodes)
    }
}

impl Restored {
    /// Calls the player with the situation without types.
    fn call<G: Game, T>(
        &mut self,
        at: &Situation<'_, G>,
        call: impl FnOnce(&mut dyn Player<ErasedGame>, &Situation<'_, ErasedGame>) -> T,
    ) -> T {
        let [start, state] = [at.start, at.state].map(|state| ErasedState::new(state.clone()));
        let situation = Situation { game: &self.erased, start: &start, played: &moves(at.played), state: &state };
        call(&mut *self.player, &situation)
    }
}

impl<G: Notation> Player<G> for Restored {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let report = self.call(at, |player, at| player.choose(at, limits, &mut Translated(observer)))?;
        Ok(translated(&report))
    }

    fn resume(
        &mut self,
        at: &Situation<'_, G>,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Option<Result<Report<G::Move>, Fault>> {
        let report = self.call(at, |player, at| player.resume(at, &mut Translated(observer)))?;
        Some(report.map(|report| translated(&report)))
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, G>, observer: &mut dyn SearchObserver<G::Move>) -> Result<(), Fault> {
        self.call(at, |player, at| player.prepare(at, &mut Translated(observer)))
    }

    fn game_over(&mut self, result: Margin) {
        self.player.game_over(result);
    }
}
