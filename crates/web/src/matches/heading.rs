//! Facts about a folder in the list of matches.

use banyan_matches::MatchConfig;
use serde::Serialize;

/// Whether games are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Progress {
    Running,
    Stopped,
    Done,
    /// The games are still being counted.
    Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Match,
    Sweep,
    Rating,
    Tune,
}

/// The part of a configuration that the list shows.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    kind: Kind,
    title: String,
    /// Total number of games.
    of: Option<u64>,
}

/// A folder in the list.
#[derive(Serialize)]
pub(crate) struct FolderView {
    id: String,
    kind: Kind,
    title: String,
    state: Progress,
    /// Recorded games; `None` while they are being counted.
    games: Option<usize>,
    of: Option<u64>,
}

impl Heading {
    pub(super) fn of(config: &MatchConfig) -> Heading {
        let kind = match config {
            MatchConfig { sweep: Some(_), .. } => Kind::Sweep,
            MatchConfig { rating: Some(_), .. } => Kind::Rating,
            MatchConfig { tune: Some(_), .. } => Kind::Tune,
            _ => Kind::Match,
        };
        let pairs = config.schedule().ok().and_then(|schedule| schedule.n_pairs_of_shard());
        let of = pairs.filter(|_| config.sprt.is_none() && kind != Kind::Rating);
        Heading { kind, title: title(config), of: of.map(|pairs| pairs.saturating_mul(2)) }
    }

    pub(super) fn view(self, id: &str, games: Option<usize>, is_running: bool) -> FolderView {
        let Heading { kind, title, of } = self;
        let state = match (games, of) {
            _ if is_running => Progress::Running,
            (None, _) => Progress::Reading,
            (Some(games), Some(of)) if games as u64 >= of => Progress::Done,
            _ => Progress::Stopped,
        };
        FolderView { id: id.to_owned(), kind, title, state, games, of }
    }
}

/// `connect-four: mcgs, uct`
fn title(config: &MatchConfig) -> String {
    let names: Vec<&str> = config.players.iter().take(3).map(|player| player.name.as_str()).collect();
    let more = config.players.len() - names.len();
    let players = match (&config.sweep, &config.ablation) {
        (_, Some(ablation)) => format!("variants of {}", ablation.player),
        (Some(sweep), _) => format!("{} of {}", sweep, config.players.last().map_or("", |player| &player.name)),
        _ if more > 0 => format!("{} and {more} more", names.join(", ")),
        _ => names.join(" - "),
    };
    format!("{}: {players}", config.game)
}
