//! `banyan analyse`: searches a position and prints the best moves.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::view::{Analysis, MoveView, StructureView, json_line};
use banyan_catalog::{Budget, Catalog, Session};
use banyan_core::{Limits, TextError};
use banyan_texts::Language;
use clap::Args;

use crate::Exit;
use crate::input::engine_file::{self, EngineFile};
use crate::input::level::LevelArg;
use crate::input::replay::AtOrRecord;
use crate::interrupt::Interrupt;
use crate::output::board;
use crate::output::game_words;
use crate::output::search_progress::{SearchProgress, done, is_unsearched, principal_variation, signed};
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::tree_file::TreeFile;

/// Maximum number of moves in the table; `--json` has all of them.
const LISTED: usize = 64;

#[derive(Debug, Args)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    at: AtOrRecord,

    /// Player (see `banyan players`) or engine (see `banyan engines`) that searches.
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER)]
    player: String,

    #[command(flatten)]
    level: LevelArg,

    /// Search limit: 1s, 200ms, playouts=10000, nodes=1e6, 15m/game; join several limits with +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

    /// Number of moves with a value instead of an upper bound by alpha-beta, the best ones first, or all. Other players
    /// value every move that they visit.
    #[arg(long, default_value = "all", value_name = "N", value_parser = lines)]
    lines: u32,

    /// Random seed. The same seed and playout budget give the same result.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,

    /// Also write the top of the search graph to this file, with visits, values, proofs and priors: a picture (.svg),
    /// Graphviz (.dot) or JSON (.json).
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,

    #[command(flatten)]
    engines: EngineFile,
}

/// The number of lines of `--lines`.
fn lines(text: &str) -> Result<u32, TextError> {
    if text == "all" {
        return Ok(Limits::ALL_LINES);
    }
    let number = text.parse().ok().filter(|&n| n > 0);
    number.ok_or_else(|| TextError::new(text, "expected all, or a number of moves from 1 on", "try --lines 3"))
}

/// Exits with 0 if there is a best move, with 1 if the game is over.
pub(crate) fn run(args: &AnalyseArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let mut session = args.at.open(catalog)?.session;
    let player = session.in_game(&args.engines.players()?.player(args.level.or(&args.player))?)?;
    player.check(&args.budget)?;
    player.refuse_unused(&args.budget)?;
    engine_file::try_out(&player, &session, &args.budget)?;
    let tree = args.tree.as_deref().map(|path| TreeFile::new(path, &player)).transpose()?;
    // Before anything is printed, because this can fail.
    let seat = session.seat(&player, args.seed)?;
    if !args.json {
        write!(terminal.out, "{}", board::paint_session(&session, terminal.ascii))?;
    }
    if let Some(verdict) = session.verdict() {
        let language = terminal.language;
        print(terminal, args.json, &verdict, || board::outcome(language, &session))?;
        if tree.is_some() {
            writeln!(terminal.err, "no tree written: the game is over")?;
        }
        return Ok(Exit::No);
    }
    let interrupt = Interrupt::install();
    let limits = Limits { lines: Some(args.lines), ..args.budget.first_limits() };
    let mut analysis = session.analyse((seat, &player), &limits, &mut SearchProgress::new(&interrupt, Language::En))?;
    analysis.opening = session.named_opening().map(|opening| opening.name().to_owned());
    if args.json {
        analysis.structure = session.structure().map(StructureView::from);
    }
    let width = terminal.width;
    print(terminal, args.json, &analysis, || listing(&session, &analysis, width))?;
    match tree {
        Some(_) if is_unsearched(&analysis) => writeln!(terminal.err, "no tree written: the move is one of the book")?,
        Some(tree) => tree.write(&session, seat)?,
        None => {}
    }
    Ok(if interrupt.pressed() { Exit::Interrupted } else { Exit::Done })
}

fn print(terminal: &mut Terminal, json: bool, analysis: &Analysis, text: impl FnOnce() -> String) -> Result<()> {
    if json {
        writeln!(terminal.out, "{}", json_line(analysis))?;
    } else {
        writeln!(terminal.out, "{}", text())?;
    }
    Ok(())
}

/// The moves as a table. Upper bounds are marked by `<=`.
fn listing(session: &Session, analysis: &Analysis, width: usize) -> String {
    let best = analysis.best.as_deref().unwrap_or_default();
    let listed = || analysis.moves.iter().take(LISTED);
    let proof =
        |stat: &MoveView| stat.proof.map(|proof| game_words::proof(session, proof, stat.ends_in)).unwrap_or_default();
    let proven = listed().any(|stat| !proof(stat).is_empty());
    // Points to spare mean little before they are proven.
    let unit = session.tables().unit;
    let has_points = !unit.to_spare && listed().any(|stat| points(stat).is_some());
    let unit = format!(">{}", unit.many);
    let heads = ["move", ">visits", &unit, ">win %", "proven", "principal variation"];
    let wanted = |column: usize| (column != 2 || has_points) && (column != 4 || proven);
    let mut lines = Table::new(1, &pick(heads, wanted));
    for stat in listed() {
        let win = match stat.at_most {
            Some(bound) => format!("<= {:.2}", bound.win_percent()),
            None => stat.win_percent().map(|percent| format!("{percent:.2}")).unwrap_or_default(),
        };
        let (points, line) = (points(stat).unwrap_or_default(), principal_variation(&stat.pv));
        lines.add_row(pick([stat.mv.clone(), stat.visits.to_string(), points, win, proof(stat), line], wanted));
    }
    let mut text = if analysis.moves.is_empty() { String::new() } else { lines.text(width) };
    if let Some(rest) = analysis.moves.get(LISTED..).filter(|rest| !rest.is_empty()) {
        let visits: u64 = rest.iter().map(|stat| stat.visits).sum();
        text += &format!("and {} more with {visits} visits\n", rest.len());
    }
    text += &format!("best for {}: {best}\n", session.side_name(session.to_move()));
    if let Some(opening) = &analysis.opening {
        text += &format!("opening: {opening}\n");
    }
    text += &done(analysis, Language::En);
    let visits: u64 = analysis.moves.iter().map(|stat| stat.visits).sum();
    if analysis.depth.is_none() && analysis.playouts > 0 && visits != analysis.playouts {
        let reason = if visits < analysis.playouts { "value several positions" } else { "end at a known position" };
        text += &format!(", {visits} visits (a visit may {reason})");
    }
    text
}

/// The expected final margin of a move, or the upper bound of it.
fn points(stat: &MoveView) -> Option<String> {
    let bound = || stat.at_most?.margin.map(|margin| format!("<= {}", signed(margin, 1)));
    stat.margin.map(|margin| signed(margin, 1)).or_else(bound)
}

/// The requested columns.
fn pick<T>(columns: [T; 6], wanted: impl Fn(usize) -> bool) -> Vec<T> {
    columns.into_iter().enumerate().filter(|&(i, _)| wanted(i)).map(|(_, column)| column).collect()
}
