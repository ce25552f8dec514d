//! Banyan as a strategy library: it exports `getPoint` and `clearPoint`, so that any judge program of Tsinghua's
//! courses can load it. Calls may come from any thread, for both sides and for several games; they are serialised.
//!
//! A move takes 2.7 s unless `BANYAN_STRATEGY_BUDGET` sets another budget at the first call: `500ms`, `playouts=20000`.
//! The search uses one thread and at most 1 GB. Nothing is written to stdout.

use std::env;
use std::ffi::c_int;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::slice;
use std::sync::{Mutex, PoisonError};

use banyan_bits::cpu::Unsupported;
use banyan_catalog::{Budget, Catalog, PlayerSpec};
use banyan_protocols::Setup;
use banyan_protocols::strategy::{Guest, Point, Question};

/// The player. Both sides together use less than 1 GB.
const PLAYER: &str = "mcgs:memory-mib=384";
/// The default budget: the limit of courses and of Saiblo is 3 s, which includes their own overhead.
const BUDGET: &str = "2.7s";
/// The environment variable of the budget.
const VARIABLE: &str = "BANYAN_STRATEGY_BUDGET";

/// Shared by all calls on all threads: a judge calls from a new thread every time.
static GUEST: Mutex<Option<Guest>> = Mutex::new(None);

/// Chooses a move; the C ABI's own names for its arguments are M and N for rows and columns, then `top`, `board`, lastX
/// and lastY, noX and noY. The caller owns the point and releases it by [`clearPoint`]. Null without a board, or on a
/// processor that cannot run this library.
///
/// # Safety
/// `top` points to `columns` numbers and `board` to `rows * columns`, which are not written to during the call.
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
    // First, as the rest is compiled for an instruction set that an old processor lacks.
    if let Err(unsupported) = banyan_bits::cpu::check() {
        return refuse(unsupported);
    }
    // SAFETY: the caller's contract is that of `point`.
    unsafe { point(rows, columns, (top, board), Point { x: last_x, y: last_y }, Point { x: hole_x, y: hole_y }) }
}

#[inline(never)]
fn refuse(unsupported: Unsupported) -> *mut Point {
    // A closed stderr is ignored.
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
    // SAFETY: the caller guarantees this many numbers behind both, and neither pointer is null.
    let (top, board) = unsafe { (slice::from_raw_parts(top, n_columns), slice::from_raw_parts(board, n_cells)) };
    let question = Question { size: [rows, columns], top, board, last, hole };
    // A panic must not unwind into C; any legal move is better than none.
    let answer = catch_unwind(AssertUnwindSafe(|| answer(&question))).unwrap_or_else(|_| question.any_move());
    Box::into_raw(Box::new(answer))
}

/// Releases a point of [`getPoint`]; may be called on any thread.
///
/// # Safety
/// `point` is null, or comes from [`getPoint`] and was not released before.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name is the ABI's")]
pub unsafe extern "C" fn clearPoint(point: *mut Point) {
    if !point.is_null() {
        // SAFETY: the caller guarantees that it comes from `Box::into_raw` in getPoint and is not used any more.
        drop(unsafe { Box::from_raw(point) });
    }
}

fn answer(question: &Question<'_>) -> Point {
    // A call that panicked leaves no search running, so the state is still valid.
    let mut guest = GUEST.lock().unwrap_or_else(PoisonError::into_inner);
    guest.get_or_insert_with(|| Guest::new(catalog(), setup())).answer(question)
}

fn catalog() -> Catalog {
    Catalog::of([banyan_connect_four_engine::family()]).expect("the presets of Connect Four parse")
}

fn setup() -> Setup {
    let with = |budget: &str| {
        let (player, budget) = (PLAYER.parse::<PlayerSpec>()?, budget.parse::<Budget>()?);
        Setup::new(player, budget, 1)
    };
    let budget = env::var(VARIABLE).unwrap_or_else(|_| BUDGET.to_owned());
    with(&budget).unwrap_or_else(|err| {
        // A closed stderr is ignored.
        let _ = writeln!(stderr(), "banyan: {VARIABLE}: {err}; a move takes {BUDGET}");
        with(BUDGET).expect("the default budget parses")
    })
}
