//! Notices about players that are published systems: settings that differ from the system's, and boards that its document does not have.

use std::collections::BTreeSet;

use banyan_catalog::{BoardRange, Catalog, Opening, PlayerSpec, Players, Preset};
use banyan_core::TextError;

use crate::config::MatchConfig;
use crate::warnings::Warning;

impl Warning {
    /// A line for each published system that plays with changed settings, or on a board that its document does not have.
    pub fn published(config: &MatchConfig, catalog: &Catalog, players: &Players) -> Vec<Warning> {
        let mut texts = BTreeSet::new();
        for entrant in &config.players {
            let Ok(player) = players.player(&entrant.player) else { continue };
            let Some(preset) = player.published() else { continue };
            // A sweep, an ablation and a tuning vary settings.
            if config.sweep.is_none() && config.ablation.is_none() && config.tune.is_none() {
                texts.extend(changed(catalog, &player, preset));
            }
            if let Ok(Some(text)) = elsewhere(config, catalog, preset) {
                texts.insert(text);
            }
        }
        texts.into_iter().map(|text| Warning::new("published", text)).collect()
    }
}

/// The settings in which a player differs from the system.
fn changed(catalog: &Catalog, player: &PlayerSpec, preset: &Preset) -> Option<String> {
    let tables = catalog.families().iter().map(|family| &family.tables);
    let changes: Vec<String> = tables.flat_map(|tables| player.changes(tables.presets)).collect();
    (!changes.is_empty()).then(|| format!("{} with {} is not the published system", preset.name, changes.join(",")))
}

/// The board, if the document of the system has another one.
fn elsewhere(config: &MatchConfig, catalog: &Catalog, preset: &Preset) -> Result<Option<String>, TextError> {
    let (name, _) = config.game.split_once(':').unwrap_or((&config.game, ""));
    let with_range = |text: &str| if text.contains('-') { text.to_owned() } else { format!("{text},holes=0") };
    let documented = BoardRange::parse(&format!("{name}:{}", with_range(preset.boards)))?.expect("a range");
    let played = match BoardRange::parse(&config.game)? {
        Some(range) => range,
        None => {
            let Some(picture) = catalog.game(&config.game)?.open(Opening::Start)?.picture() else { return Ok(None) };
            let holes = picture.cells.iter().filter(|cell| cell.hole).count();
            let text = format!("{name}:{}x{},holes={holes}", picture.rows, picture.columns);
            BoardRange::parse(&text)?.expect("a range")
        }
    };
    let text = || format!("{} on {}: its document has boards {}", preset.name, config.game, preset.boards);
    Ok((!played.is_within(&documented)).then(text))
}
