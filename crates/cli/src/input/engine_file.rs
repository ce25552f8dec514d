//! The file that defines external engines: which one it is, and the players and engines that it gives a command.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use banyan_catalog::storage::read_text;
use banyan_catalog::{Budget, PlayerSpec, Players, Session};
use banyan_core::TextError;
use banyan_protocols::{Engine, EngineEntry, library_at_path, read_engines};
use clap::Args;

/// The default file.
pub(crate) const DEFAULT_FILE: &str = "engines.toml";
/// The environment variable that names another file.
const VARIABLE: &str = "BANYAN_ENGINES";

/// The file that defines external engines.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EngineFile {
    /// File that defines external engines [default: $BANYAN_ENGINES, or engines.toml in the current folder].
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
}

impl EngineFile {
    /// The given file, or else the one that a match was started with. If that has been moved since then, the default
    /// file is used, if it exists.
    pub(crate) fn or_stored(&self, stored: Option<&str>) -> EngineFile {
        let moved = |path: &Path| !path.exists() && EngineFile::default().path().exists();
        let stored = || stored.map(PathBuf::from).filter(|path| !moved(path));
        EngineFile { engines: self.engines.clone().or_else(stored) }
    }

    /// The file as an absolute path, if it exists.
    pub(crate) fn absolute(&self) -> Option<String> {
        let path = std::path::absolute(self.path()).ok().filter(|path| path.exists())?;
        path.to_str().map(str::to_owned)
    }

    fn named(&self) -> Option<PathBuf> {
        self.engines.clone().or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from))
    }

    fn path(&self) -> PathBuf {
        self.named().unwrap_or_else(|| DEFAULT_FILE.into())
    }

    /// The entries of the file; none if the default file does not exist.
    pub(crate) fn read(&self) -> Result<Vec<EngineEntry>, TextError> {
        let (named, path) = (self.named(), self.path());
        let place = path.display().to_string();
        let text = match read_text(&path) {
            Err(err) if err.kind() == ErrorKind::NotFound && named.is_none() => return Ok(Vec::new()),
            text => text.map_err(|err| {
                TextError::new(&place, format!("expected a file that can be read: {err}"), "check the path")
            })?,
        };
        let folder = std::path::absolute(&path).ok();
        let folder = folder.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
        let mut entries = read_engines(&text, folder).map_err(|err| err.at(&place))?;
        for entry in &mut entries {
            if let Err(err) = &mut entry.engine {
                *err = err.clone().at(&place);
            }
        }
        Ok(entries)
    }

    /// The engines with a valid definition; every other one is reported on `err`.
    pub(crate) fn sound(&self, err: &mut dyn Write) -> Result<Vec<Engine>> {
        let mut sound = Vec::new();
        for entry in self.read()? {
            match entry.engine {
                Ok(engine) => sound.push(engine),
                Err(wrong) => writeln!(err, "warning: {wrong}")?,
            }
        }
        Ok(sound)
    }

    /// All players and engines that can be named. An invalid entry is an error only if it is used, an unreadable file
    /// only if the file or an engine is named.
    pub(crate) fn players(&self) -> Result<Players> {
        let mut players = Players::presets();
        players.find_with(library_at_path);
        match self.read() {
            Ok(entries) => {
                for EngineEntry { name, engine } in entries {
                    if let Err(err) = engine.and_then(|engine| players.add(Arc::new(engine))) {
                        players.refuse(&name, err);
                    }
                }
            }
            Err(err) if self.engines.is_some() => return Err(err.into()),
            Err(err) => players.without_engines(err),
        }
        Ok(players)
    }
}

/// Checks the external engines of a player with this position and budget.
pub(crate) fn try_out(player: &PlayerSpec, at: &Session, budget: &Budget) -> Result<(), TextError> {
    player.engines().into_iter().try_for_each(|engine| engine.check(at, &budget.first_limits()).map(drop))
}
