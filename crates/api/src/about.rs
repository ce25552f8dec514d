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
    version: &'static str,
    games: Vec<GameView>,
    players: Vec<PlayerView>,
    levels: Vec<LevelView>,
}

#[derive(Clone, Debug, Serialize)]
struct GameView {
    name: &'static str,
    title: String,
    summary: &'static str,
    /// The default board.
    spec: String,
    rules: &'static str,
    unit: UnitView,
    sides: [&'static str; 2],
    best: &'static str,
    evidence: &'static str,
    sizes: Option<SizesView>,
    /// Rows and columns of the default board; `None` if it cannot be drawn.
    default_size: Option<[usize; 2]>,
    style: &'static str,
    /// Whether positions have a structure by the theory of the game.
    structure: bool,
    /// Moves to a sample position of the default board.
    sample: Vec<&'static str>,
    /// The presets that can be named without settings in this game.
    players: Vec<GamePlayerView>,
}

/// A preset that plays a game.
#[derive(Clone, Debug, Serialize)]
struct GamePlayerView {
    name: &'static str,
    /// Whether it is a published system, which reproduces a document.
    published: bool,
}

#[derive(Clone, Debug, Serialize)]
struct UnitView {
    one: &'static str,
    many: &'static str,
    to_spare: bool,
}

#[derive(Clone, Debug, Serialize)]
struct SizesView {
    rows: [u32; 2],
    columns: [u32; 2],
    step: u32,
    square: bool,
    holes: bool,
}

/// A level of strength in a game.
#[derive(Clone, Debug, Serialize)]
struct LevelView {
    game: &'static str,
    name: &'static str,
    fact: String,
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
