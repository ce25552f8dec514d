//! The named players.

use banyan_search::{
    ALPHA_BETA_TUNABLES, Algorithm, AlphaBetaConfig, Config, SOLVER_TUNABLES, SolverConfig, TUNABLES, Tunable,
};

use super::{BEST, Kind, VOTE};

/// A named player.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Its settings; empty if it has none.
    pub settings: &'static [Tunable],
    /// Whether games may replace it by a [preset](super::GamePreset) of the same name.
    pub suits_its_game: bool,
    /// Whether it is one of the published systems, which exist only in the game whose tables define them.
    pub needs_its_game: bool,
    /// The boards of the document of a published system, as a range of boards; empty for other players.
    pub boards: &'static str,
    pub(super) kind: fn() -> Kind,
}

impl Preset {
    /// The value of one of its settings if none is given, and no [preset of the game](super::GamePreset) has another.
    pub fn default_of(&self, row: &Tunable) -> String {
        (self.kind)().get(row.name)
    }
}

/// All players. Each except `vote`, which needs members, can be named without settings.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: BEST,
        summary: "the player that won the recorded matches of its game; the default. It takes that player's settings: best:threads=2",
        settings: &[],
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Best(Vec::new()),
    },
    Preset {
        name: "random",
        summary: "uniformly random legal moves",
        settings: &[],
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Random,
    },
    Preset {
        name: "greedy",
        summary: "one-ply search: wins, blocks, or takes the most points",
        settings: &[],
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Greedy,
    },
    Preset {
        name: "uct",
        summary: "plain UCT (Kocsis and Szepesvari 2006): a tree, uniform playouts, no proofs, no game knowledge",
        settings: TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "graph",
        summary: "Monte Carlo graph search with proofs; the same settings in every game",
        settings: TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Search(Box::default()),
    },
    Preset {
        name: "mcgs",
        summary: "Monte Carlo graph search with settings tuned for the game",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Search(Box::default()),
    },
    Preset {
        name: "negamax",
        summary: "alpha-beta without null windows (Knuth and Moore 1975)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Negamax)),
    },
    Preset {
        name: "pvs",
        summary: "principal variation search: alpha-beta with null windows after the first move (Reinefeld 1983)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Pvs)),
    },
    Preset {
        name: "mtdf",
        summary: "MTD(f): alpha-beta with null windows only (Plaat et al. 1996)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Mtdf)),
    },
    Preset {
        name: "solver",
        summary: "proves the value of the position as soon as the budget allows, and moves as pvs does before that",
        settings: SOLVER_TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Solver(SolverConfig::default()),
    },
    Preset {
        name: "safe-exact",
        summary: "random moves that give nothing away, and exact play from 36 plies before the end on",
        settings: SOLVER_TUNABLES,
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Solver(SolverConfig::casual()),
    },
    Preset {
        name: "uct-2019",
        summary: "UCT for Connect Four on boards of 9 to 12 rows and columns, a report of 2019",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "9-12x9-12,holes=1",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "uct-2023",
        summary: "UCT for Connect Four with checks at the first expansion, a report of 2023",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "9-12x9-12,holes=1",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "mcgs-lionjump",
        summary: "Monte Carlo graph search for Connect Four, the engine Lionjump0723/connect4",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "9-12x9-12,holes=1",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "uct-reversi-report",
        summary: "UCT for Reversi on 8x8 as a report describes it: margins as rewards, square weights",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "8x8",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "uct-reversi-report-as-coded",
        summary: "the same as its program is written, with what differs from the text",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "8x8",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "uct-dots-study",
        summary: "UCT for Dots and Boxes with an evaluation at a horizon (Zhang and Meng 2020)",
        settings: TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "5x5",
        kind: || Kind::Search(Box::new(Config::uct())),
    },
    Preset {
        name: "alpha-beta-dots-study",
        summary: "alpha-beta for Dots and Boxes with the same evaluation (Zhang and Meng 2020)",
        settings: ALPHA_BETA_TUNABLES,
        suits_its_game: true,
        needs_its_game: true,
        boards: "5x5",
        kind: || Kind::AlphaBeta(AlphaBetaConfig::new(Algorithm::Pvs)),
    },
    Preset {
        name: VOTE,
        summary: "vote of several players, which share the budget equally: vote:uct:c=0.8+mcgs+pvs",
        settings: &[],
        suits_its_game: false,
        needs_its_game: false,
        boards: "",
        kind: || Kind::Vote(Vec::new()),
    },
];
