//! A strategy library loaded into this process, where it may crash, exit or hang.

use std::ffi::c_int;
use std::path::{Path, PathBuf};

use banyan_core::TextError;

use super::{NOWHERE, Point};
use crate::saiblo::{Start, Stone, Turn};

// A C++ library may throw; with this ABI that ends the process instead of being undefined behaviour.
type GetPoint =
    unsafe extern "C-unwind" fn(c_int, c_int, *const c_int, *const c_int, c_int, c_int, c_int, c_int) -> *mut Point;
type ClearPoint = unsafe extern "C-unwind" fn(*mut Point);

/// The two functions of a library, which stays loaded until the process exits.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    get_point: GetPoint,
    clear_point: ClearPoint,
}

impl Library {
    /// Loads a library, which runs its initialisers.
    ///
    /// # Errors
    /// It does not exist, cannot be loaded on this machine, or lacks one of the two functions.
    pub fn load(path: &Path) -> Result<Library, TextError> {
        let found = || format!("strategy library {}", path.display());
        if !path.is_file() {
            return Err(TextError::new(found(), "expected a file that exists", "check the path"));
        }
        // A name without a folder would be searched in the system's library path.
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // SAFETY: the user who names a library wants its code to run. It runs in a separate process, and nothing else
        // depends on that process.
        let library = unsafe { libloading::Library::new(whole) }.map_err(|err| {
            let remedy = "build it as a shared library for this machine";
            TextError::new(found(), format!("expected a library that can be loaded: {}", in_one_line(&err)), remedy)
        })?;
        let missing = |name: &str| {
            let expected = format!("expected getPoint and clearPoint, but {name} is not exported");
            TextError::new(found(), expected, "declare it extern \"C\" and export it (docs/strategy-library.md)")
        };
        // SAFETY: the types are those of the ABI, as published by the course; a library with the same names but
        // other types cannot be detected.
        let get_point = unsafe { library.get::<GetPoint>(b"getPoint\0") }.map(|function| *function);
        // SAFETY: as above.
        let clear_point = unsafe { library.get::<ClearPoint>(b"clearPoint\0") }.map(|function| *function);
        let get_point = get_point.map_err(|_| missing("getPoint"))?;
        let clear_point = clear_point.map_err(|_| missing("clearPoint"))?;
        // Never unloaded, as on the courses' platforms: threads of the library may still run.
        std::mem::forget(library);
        Ok(Library { path: path.to_owned(), get_point, clear_point })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Calls `getPoint`; `None` for a null pointer. The result is not validated.
    pub fn get_point(&self, board: &Start, turn: &Turn) -> Option<Point> {
        // Copies, in case the library writes to them.
        let top: Vec<c_int> = turn.top.iter().map(|&top| top as c_int).collect();
        let cells: Vec<c_int> = turn.board.iter().map(|&owner| c_int::from(owner)).collect();
        let (last, hole) = (point(turn.last), point(board.hole));
        let (rows, columns) = (board.rows as c_int, board.columns as c_int);
        // SAFETY: the arrays have the lengths that the ABI names, N and M * N, and live until the call returns.
        let answer =
            unsafe { (self.get_point)(rows, columns, top.as_ptr(), cells.as_ptr(), last.x, last.y, hole.x, hole.y) };
        if answer.is_null() {
            return None;
        }
        // SAFETY: it is not null, and by the ABI points to a Point that is valid until clearPoint; if a library violates
        // that, only this process crashes and the game is lost.
        let copy = unsafe { answer.read_unaligned() };
        // SAFETY: it is passed back once, to the library that allocated it.
        unsafe { (self.clear_point)(answer) };
        Some(copy)
    }
}

fn point(stone: Option<Stone>) -> Point {
    stone.map_or(NOWHERE, |stone| Point { x: stone.x as c_int, y: stone.y as c_int })
}

fn in_one_line(err: &libloading::Error) -> String {
    let cause = std::error::Error::source(err).map_or_else(|| err.to_string(), ToString::to_string);
    cause.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}
