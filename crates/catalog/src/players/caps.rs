//! Resource caps for players named by untrusted clients, as on a web page.

use banyan_core::TextError;

use super::presets::Preset;
use super::tables::GameTables;
use super::{Kind, PlayerSpec};

/// Resource caps for a player named by an untrusted client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerCaps {
    /// Threads.
    pub threads: u32,
    /// MiB of memory for nodes and tables.
    pub memory_mib: u32,
}

/// Members of a vote.
const MOST_MEMBERS: usize = 4;

impl PlayerSpec {
    /// The player in a game with these tables within `caps`: a default size above the memory cap is lowered to it.
    ///
    /// # Errors
    /// A setting above the caps, or one that reads a file or only costs time.
    pub fn within(&self, tables: &GameTables, caps: &PlayerCaps) -> Result<PlayerSpec, TextError> {
        let mut player = self.in_game(tables)?;
        player.cap(tables, caps).map_err(|err| self.named(err))?;
        Ok(player)
    }

    fn cap(&mut self, tables: &GameTables, caps: &PlayerCaps) -> Result<(), TextError> {
        if self.book.as_ref().is_some_and(|book| !book.is_built_in()) || self.eval.is_some() {
            let expected = "expected a player without files";
            return Err(TextError::new(
                "a setting that names a file",
                expected,
                "name no file in book, eval or horizon-eval",
            ));
        }
        if let Some(model) = &mut self.model {
            at_most("models of an opponent model", model.model.is_some().into(), 0)?;
            **model = model.within(tables, &PlayerCaps { memory_mib: (caps.memory_mib / 2).max(1), ..*caps })?;
        }
        let usual = self.preset().map(Preset::usual);
        at_most("threads", self.threads(), caps.threads)?;
        match (&mut self.kind, usual) {
            (Kind::Search(config), Some(Kind::Search(usual))) => {
                at_most("pad", config.pad, 0)?;
                lower("memory-mib", &mut config.memory_mib, usual.memory_mib, caps)?;
                self.given.retain(|name| *name != "memory-mib");
                self.given.push("memory-mib");
            }
            (Kind::AlphaBeta(config), Some(Kind::AlphaBeta(usual))) => {
                if let (Some(table), Some(usual)) = (&mut config.table_mib, usual.table_mib) {
                    lower("table-mib", table, usual, caps)?;
                }
            }
            (Kind::Solver(config), Some(Kind::Solver(usual))) => {
                // The player of its openings uses as much again.
                let half = PlayerCaps { memory_mib: (caps.memory_mib / 2).max(1), ..*caps };
                lower("table-mib", &mut config.table_mib, usual.table_mib, &half)?;
            }
            (Kind::Vote(members), _) => {
                at_most("members of a vote", members.len() as u32, MOST_MEMBERS as u32)?;
                let share = PlayerCaps { memory_mib: (caps.memory_mib / members.len().max(1) as u32).max(1), ..*caps };
                for member in members {
                    *member = member.within(tables, &share)?;
                }
            }
            _ => {}
        }
        if self.preset().is_none_or(|preset| !preset.suits_its_game) {
            self.given.clear();
        }
        Ok(())
    }
}

impl Preset {
    fn usual(&self) -> Kind {
        (self.kind)()
    }
}

fn at_most(name: &str, found: u32, most: u32) -> Result<(), TextError> {
    if found <= most {
        return Ok(());
    }
    Err(TextError::new(format!("{name}={found}"), format!("expected at most {most}"), format!("try {name}={most}")))
}

/// Lowers the default size to the cap; refuses a larger one that was given explicitly.
fn lower(name: &str, size: &mut u32, usual: u32, caps: &PlayerCaps) -> Result<(), TextError> {
    if *size != usual {
        at_most(name, *size, caps.memory_mib)?;
    }
    *size = (*size).min(caps.memory_mib);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Players;

    const CAPS: PlayerCaps = PlayerCaps { threads: 2, memory_mib: 200 };

    fn within(text: &str) -> Result<String, String> {
        let tables = GameTables { best: "pvs", ..GameTables::with_presets(&[]) };
        let player = Players::presets().player(text).map_err(|err| err.to_string())?;
        player.within(&tables, &CAPS).map(|player| player.to_string()).map_err(|err| err.to_string())
    }

    #[test]
    fn memory_is_lowered_to_the_cap() {
        for (text, expected) in [
            ("uct", "uct:memory-mib=200"),
            ("mcgs", "mcgs:memory-mib=200"),
            ("uct:memory-mib=100,threads=2", "uct:memory-mib=100,threads=2"),
            ("pvs", "pvs:table-mib=200"),
            ("best", "pvs:table-mib=200"),
            ("pvs:table-mib=off", "pvs:table-mib=off"),
            ("solver", "solver:table-mib=100"),
            ("random", "random"),
            ("vote:uct+pvs", "vote:uct:memory-mib=100+pvs:table-mib=100"),
            ("vote:best+random", "vote:pvs:table-mib=100+random"),
        ] {
            assert_eq!(within(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_a_stranger_may_not_use_is_refused() {
        for (text, expected) in [
            ("uct:threads=3", "threads=3: expected at most 2"),
            ("uct:memory-mib=65536", "memory-mib=65536: expected at most 200"),
            ("uct:pad=10000", "pad=10000: expected at most 0"),
            ("pvs:table-mib=1000", "table-mib=1000: expected at most 200"),
            ("best:table-mib=1000", "table-mib=1000: expected at most 200"),
            ("solver:table-mib=101", "table-mib=101: expected at most 100"),
            ("pvs:eval=/etc/passwd", "expected a player without files"),
            ("uct:horizon=2,horizon-eval=/etc/passwd", "expected a player without files"),
            ("best:eval=./weights.bin", "expected a player without files"),
            ("uct:book=/etc/passwd", "expected a player without files"),
            ("vote:random+uct:book=x.bin", "expected a player without files"),
            ("vote:random+uct:threads=16", "threads=16: expected at most 2"),
            ("uct:proof=off,reuse=none,opponent-model=uct:book=x.bin", ""),
            ("vote:random+random+random+random+random", "members of a vote=5: expected at most 4"),
        ] {
            let err = within(text).expect_err(text);
            assert!(err.contains(expected), "{text}: {err}");
        }
    }
}
