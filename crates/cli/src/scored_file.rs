//! Files of positions with the exact scores of their moves.

use std::path::Path;

use anyhow::{Result, anyhow};
use banyan_catalog::storage::read_record;
use banyan_catalog::{AnyGame, ScoredPosition};
use banyan_protocols::ScoredFile;

/// The positions of a file, all of them valid.
///
/// # Errors
/// A file that cannot be read, or a line that is not a position of the game, with file and line.
pub(crate) fn read(path: &Path, game: &AnyGame) -> Result<Vec<ScoredPosition>> {
    let form = ScoredFile::of(game)?;
    let bytes = read_record(path).map_err(|err| anyhow!("cannot read {}: {err}; try another name", path.display()))?;
    let positions = form.read(bytes).map_err(|err| err.at(path.display()))?;
    positions.iter().try_for_each(|position| position.open(game).map(|_| ()).map_err(|err| err.at(path.display())))?;
    Ok(positions)
}
