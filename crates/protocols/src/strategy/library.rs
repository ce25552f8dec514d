//! A strategy library, loaded into this process. It may do whatever it likes here: crash, exit, never come back.

use std::ffi::c_int;
use std::path::{Path, PathBuf};

use banyan_core::TextError;

use super::{NOWHERE, Point};
use crate::saiblo::{Start, Stone, Turn};

// A library in C++ may throw; so that ends this process and is not undefined.
type GetPoint =
    unsafe extern "C-unwind" fn(c_int, c_int, *const c_int, *const c_int, c_int, c_int, c_int, c_int) -> *mut Point;
type ClearPoint = unsafe extern "C-unwind" fn(*mut Point);

/// The two functions of a library that stays loaded until the process ends.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    get_point: GetPoint,
    clear_point: ClearPoint,
}

impl Library {
    /// Loads a library, which runs what it does when it is loaded.
    ///
    /// # Errors
    /// It is not there, is no library for this machine, or lacks one of the two functions.
    pub fn load(path: &Path) -> Result<Library, TextError> {
        let found = || format!("strategy library {}", path.display());
        if !path.is_file() {
            return Err(TextError::new(found(), "there is no such file", "check the path"));
        }
        // A name without a folder would be looked for among the libraries of the system.
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // SAFETY: whoever names a library wants its code to run; that happens in a process of its own, and nothing of ours
        // depends on what it does there.
        let library = unsafe { libloading::Library::new(whole) }.map_err(|err| {
            let remedy = "build it for this machine, as a shared library";
            TextError::new(found(), format!("it cannot be loaded: {}", in_one_line(&err)), remedy)
        })?;
        let missing = |name: &str| {
            let remedy = "declare it extern \"C\" and export it (docs/strategy-library.md)";
            TextError::new(found(), format!("it has no function {name}"), remedy)
        };
        // SAFETY: the types are those of the ABI, as the course publishes it; a library with others of the same names
        // cannot be told apart.
        let get_point = unsafe { library.get::<GetPoint>(b"getPoint\0") }.map(|function| *function);
        // SAFETY: as above.
        let clear_point = unsafe { library.get::<ClearPoint>(b"clearPoint\0") }.map(|function| *function);
        let get_point = get_point.map_err(|_| missing("getPoint"))?;
        let clear_point = clear_point.map_err(|_| missing("clearPoint"))?;
        // Courses never unload one either: threads of its own may still run in it.
        std::mem::forget(library);
        Ok(Library { path: path.to_owned(), get_point, clear_point })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Asks for a move; `None` for a null pointer. What comes back is judged by nobody yet.
    pub fn ask(&self, board: &Start, turn: &Turn) -> Option<Point> {
        // Copies, so that it does no harm to write to them.
        let top: Vec<c_int> = turn.top.iter().map(|&top| top as c_int).collect();
        let cells: Vec<c_int> = turn.board.iter().map(|&owner| c_int::from(owner)).collect();
        let (last, hole) = (point(turn.last), point(board.hole));
        let (rows, columns) = (board.rows as c_int, board.columns as c_int);
        // SAFETY: the arrays have the lengths that the ABI names, N and M * N, and live until the call is over.
        let answer =
            unsafe { (self.get_point)(rows, columns, top.as_ptr(), cells.as_ptr(), last.x, last.y, hole.x, hole.y) };
        if answer.is_null() {
            return None;
        }
        // SAFETY: it is not null, and by the ABI points to a Point that stays until clearPoint gets it; where a library
        // breaks that, this process ends and the game is lost.
        let copy = unsafe { answer.read_unaligned() };
        // SAFETY: it is passed back once, to the library that made it.
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
