//! Banyan as a strategy library: it exports `getPoint` and `clearPoint`, so that any judge of Tsinghua's courses can load
//! it. Calls may come from any thread, for both sides and for several games; they are answered one after the other.
//!
//! A move takes 2.7 s unless `BANYAN_STRATEGY_BUDGET` says otherwise when the first one is asked for: `500ms`,
//! `playouts=20000`. One thread searches, within 1 GB. Nothing is written to stdout.

use std::env;
use std::ffi::c_int;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::slice;
use std::sync::{Mutex, PoisonError};

use banyan_catalog::{Budget, Catalog, PlayerSpec};
use banyan_core::cpu::Unsupported;
use banyan_protocols::Setup;
use banyan_protocols::strategy::{Guest, Point, Question};

/// Who answers. Both sides together stay under 1 GB with it.
const PLAYER: &str = "mcgs:memory-mib=384";
/// The limit of courses and of Saiblo is 3 s on a clock that also runs for their own work.
const BUDGET: &str = "2.7s";
/// What names another.
const VARIABLE: &str = "BANYAN_STRATEGY_BUDGET";

/// The player is shared by all calls, whatever thread they come from: a judge takes a fresh one for each.
static GUEST: Mutex<Option<Guest>> = Mutex::new(None);

/// Chooses a move; the C ABI's own names for its arguments are M and N for rows and columns, then `top`, `board`, lastX and
/// lastY, noX and noY. The point belongs to the caller until [`clearPoint`] gets it. Null without a board,
/// or on a processor that cannot run this library.
///
/// # Safety
/// `top` points to `columns` numbers and `board` to `rows * columns`, which nobody writes to until the answer is there.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name is the ABI's")]
#[allow(clippy::too_many_arguments, reason = "the arguments are the ABI's")]
pub unsafe extern "C" fn getPoint(
    rows: c_int,
    columns: c_int,
    top: *const c_int,
    board: *const c_int,
    last_x: c_int,
    last_y: c_int,
    hole_x: c_int,
    hole_y: c_int,
) -> *mut Point {
    // Before anything else: the rest is compiled for an instruction set that an old processor does not have.
    if let Err(unsupported) = banyan_core::cpu::check() {
        return refuse(unsupported);
    }
    // SAFETY: the caller's promises are those asked for.
    unsafe { point(rows, columns, (top, board), Point { x: last_x, y: last_y }, Point { x: hole_x, y: hole_y }) }
}

#[inline(never)]
fn refuse(unsupported: Unsupported) -> *mut Point {
    // Nobody may be reading it.
    let _ = writeln!(stderr(), "banyan: {unsupported}");
    null_mut()
}

/// # Safety
/// As [`getPoint`].
#[inline(never)]
unsafe fn point(
    rows: c_int,
    columns: c_int,
    (top, board): (*const c_int, *const c_int),
    last: Point,
    hole: Point,
) -> *mut Point {
    let n = |length: c_int| usize::try_from(length).ok();
    let (Some(n_columns), Some(n_cells)) = (n(columns), rows.checked_mul(columns).and_then(n)) else {
        return null_mut();
    };
    if top.is_null() || board.is_null() {
        return null_mut();
    }
    // SAFETY: the caller vouches for so many numbers behind both, and neither pointer is null.
    let (top, board) = unsafe { (slice::from_raw_parts(top, n_columns), slice::from_raw_parts(board, n_cells)) };
    let question = Question { size: [rows, columns], top, board, last, hole };
    // A panic must not leave Rust; a move that nobody thought about is better than none.
    let answer = catch_unwind(AssertUnwindSafe(|| answer(&question))).unwrap_or_else(|_| question.any_move());
    Box::into_raw(Box::new(answer))
}

/// Takes a point of [`getPoint`] back, on any thread.
///
/// # Safety
/// `point` is null, or comes from [`getPoint`] and was not taken back before.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name is the ABI's")]
pub unsafe extern "C" fn clearPoint(point: *mut Point) {
    if !point.is_null() {
        // SAFETY: the caller vouches that it was made by `Box::into_raw` in getPoint, and that nobody has it any more.
        drop(unsafe { Box::from_raw(point) });
    }
}

fn answer(question: &Question<'_>) -> Point {
    // A call that panicked has left no search behind, so the rest is as good as before.
    let mut guest = GUEST.lock().unwrap_or_else(PoisonError::into_inner);
    guest.get_or_insert_with(|| Guest::new(catalog(), setup())).answer(question)
}

fn catalog() -> Catalog {
    Catalog::of([banyan_connect_four_engine::family()]).expect("the presets of Connect Four are players")
}

fn setup() -> Setup {
    let with = |budget: &str| {
        let (player, budget) = (PLAYER.parse::<PlayerSpec>()?, budget.parse::<Budget>()?);
        Setup::new(player, budget, 1)
    };
    let asked = env::var(VARIABLE).unwrap_or_else(|_| BUDGET.to_owned());
    with(&asked).unwrap_or_else(|err| {
        // Nobody may be reading it.
        let _ = writeln!(stderr(), "banyan: {VARIABLE}: {err}; a move takes {BUDGET}");
        with(BUDGET).expect("the usual budget is one")
    })
}
