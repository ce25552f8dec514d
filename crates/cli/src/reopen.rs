//! Reopens the folder of a match, and of what is played as one, to resume it.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use banyan_catalog::matches::{GameLine, MatchFolder, OpeningLines, Resumed};

use crate::terminal::Terminal;

/// A folder with what it holds.
pub(crate) struct OpenFolder {
    /// Open for further games.
    pub(crate) folder: MatchFolder,
    /// The finished games.
    pub(crate) lines: Vec<GameLine>,
    /// The openings, if they came from a file.
    pub(crate) openings: Option<OpeningLines>,
}

/// Reopens a folder, and notes on stderr that an incomplete last line of its games was removed.
pub(crate) fn reopen(path: &Path, terminal: &mut Terminal) -> Result<OpenFolder> {
    let Resumed { folder, lines, openings, cut_off } = MatchFolder::resume(path)?;
    if let Some(bytes) = cut_off {
        writeln!(
            terminal.err,
            "note: games.jsonl ends with an incomplete line ({bytes} bytes); that game is replayed"
        )?;
    }
    Ok(OpenFolder { folder, lines, openings })
}
