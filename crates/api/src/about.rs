//! The games, players and levels on offer, for the page.

use banyan_catalog::{
    BoardSizes, BoardStyle, Family, LEVELS, Level, PRESETS, PlayerView, PointUnit, Preset, Session, players,
};
use banyan_core::Side;
use serde::Serialize;

use crate::offer::Offer;
use crate::title::in_words;

/// Games, players and levels on offer.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// The version of Banyan.
    pub version: &'static str,
    /// The games.
    pub games: Vec<GameView>,
    /// The presets with their settings.
    pub players: Vec<PlayerView>,
    /// The levels of all games.
    pub levels: Vec<LevelView>,
}

/// A game on offer.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// The name in specifications.
    pub name: &'static str,
    /// The display name.
    pub title: String,
    /// One line about it.
    pub summary: &'static str,
    /// The default board.
    pub spec: String,
    /// The rules and the notation of moves, in short.
    pub rules: &'static str,
    /// The things that margins count.
    pub unit: UnitView,
    /// The names of both sides in notation.
    pub sides: [&'static str; 2],
    /// The preset that `best` stands for.
    pub best: &'static str,
    /// Why it is the best.
    pub evidence: &'static str,
    /// The sizes of boards; `None` if the game has one board.
    pub sizes: Option<SizesView>,
    /// Rows and columns of the default board; `None` if it cannot be drawn.
    pub default_size: Option<[usize; 2]>,
    /// The style of its boards: `stones`, `drop`, `discs` or `boxes`.
    pub style: &'static str,
    /// Whether positions have a structure by the theory of the game.
    pub structure: bool,
    /// Moves to a sample position of the default board.
    pub sample: Vec<&'static str>,
    /// The presets that can be named without settings in this game.
    pub players: Vec<GamePlayerView>,
}

/// A preset that plays a game.
#[derive(Clone, Debug, Serialize)]
pub struct GamePlayerView {
    /// The name.
    pub name: &'static str,
    /// Whether it is a published system, which reproduces a document.
    pub published: bool,
}

/// The things that margins count.
#[derive(Clone, Debug, Serialize)]
pub struct UnitView {
    /// One of them.
    pub one: &'static str,
    /// Several of them.
    pub many: &'static str,
    /// Whether the winner has them to spare; then only the winner counts.
    pub to_spare: bool,
}

/// The sizes of the boards of a game.
#[derive(Clone, Debug, Serialize)]
pub struct SizesView {
    /// The smallest and the largest number of rows.
    pub rows: [u32; 2],
    /// The smallest and the largest number of columns.
    pub columns: [u32; 2],
    /// The difference between sizes.
    pub step: u32,
    /// Whether boards have as many rows as columns.
    pub square: bool,
    /// Whether cells may be blocked.
    pub holes: bool,
}

/// A level of strength in a game.
#[derive(Clone, Debug, Serialize)]
pub struct LevelView {
    /// The game.
    pub game: &'static str,
    /// `level-1` to `level-10`.
    pub name: &'static str,
    /// Its strength in words.
    pub fact: String,
}

/// The games and players on offer. A transport adds its own facts, and the limits.
pub fn about(offer: &Offer) -> About {
    About {
        version: env!("CARGO_PKG_VERSION"),
        games: offer.catalog.families().iter().filter_map(|family| game(offer, family)).collect(),
        players: players(&offer.catalog),
        levels: offer.catalog.families().iter().flat_map(levels).collect(),
    }
}

fn game(offer: &Offer, family: &Family) -> Option<GameView> {
    let session = offer.catalog.game(family.name).ok()?.open(banyan_catalog::Opening::Start).ok()?;
    let PointUnit { one, many, to_spare } = family.tables.unit;
    let sizes = |BoardSizes { rows, columns, step, square, holes }| SizesView { rows, columns, step, square, holes };
    Some(GameView {
        name: family.name,
        title: in_words(family.name),
        summary: family.summary,
        spec: session.spec(),
        rules: family.tables.rules,
        unit: UnitView { one, many, to_spare },
        sides: Side::BOTH.map(|side| session.side_name(side)),
        best: family.tables.best,
        evidence: family.tables.evidence,
        sizes: family.tables.sizes.map(sizes),
        default_size: session.picture().map(|picture| [picture.rows, picture.columns]),
        style: style(family.tables.style),
        structure: session.structure().is_some(),
        sample: family.tables.sample.split_whitespace().collect(),
        players: presets(offer, &session),
    })
}

fn presets(offer: &Offer, session: &Session) -> Vec<GamePlayerView> {
    let plays = |preset: &&Preset| offer.player(session, Some(preset.name)).is_ok();
    let view = |preset: &Preset| GamePlayerView { name: preset.name, published: preset.needs_its_game };
    PRESETS.iter().filter(plays).map(view).collect()
}

/// The name of a style of boards, which is also a class of the page.
fn style(style: BoardStyle) -> &'static str {
    match style {
        BoardStyle::Stones => "stones",
        BoardStyle::Drop => "drop",
        BoardStyle::Discs => "discs",
        BoardStyle::Boxes => "boxes",
    }
}

fn levels(family: &Family) -> Vec<LevelView> {
    let named = LEVELS.iter().zip(family.tables.levels);
    let view = |(i, (&name, level)): (usize, (&&'static str, &Level))| LevelView {
        game: family.name,
        name,
        fact: match i.checked_sub(1) {
            Some(below) => {
                let score = level.expected_score(family.tables.levels[below].elo);
                format!("beats level {i} in {:.0} %", 100.0 * score)
            }
            None => "a little above random play".to_owned(),
        },
    };
    named.enumerate().map(view).collect()
}
