//! `banyan analyse`: searches a position and prints the best moves.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::view::{Analysis, Proof, StructureView, json_line};
use banyan_catalog::{Budget, Catalog, Session};
use clap::Args;

use crate::engines::{self, EngineFile};
use crate::interrupt::Interrupt;
use crate::replay::AtOrRecord;
use crate::search_progress::{SearchProgress, done, principal_variation};
use crate::table::Table;
use crate::terminal::Terminal;
use crate::tree_file::TreeFile;
use crate::{Exit, board};

/// Maximum number of moves in the table; `--json` has all of them.
const LISTED: usize = 16;

#[derive(Debug, Args)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    at: AtOrRecord,

    /// Player (see `banyan players`) or engine (see `banyan engines`) that searches.
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER)]
    player: String,

    /// Search limit: 1s, 200ms, playouts=10000, nodes=1e6, 15m/game; join several limits with +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

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

/// Exits with 0 if there is a best move, with 1 if the game is over.
pub(crate) fn run(args: &AnalyseArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let mut session = args.at.open(catalog)?.session;
    let player = session.in_game(&args.engines.players()?.player(&args.player)?)?;
    player.check(&args.budget)?;
    player.refuse_unused(&args.budget)?;
    engines::try_out(&player, &session, &args.budget)?;
    let tree = args.tree.as_deref().map(|path| TreeFile::new(path, &player)).transpose()?;
    // Before anything is printed, because this can fail.
    let seat = session.seat(&player, args.seed)?;
    if !args.json {
        write!(terminal.out, "{}", board::paint_session(&session, terminal.ascii))?;
    }
    if let Some(verdict) = session.verdict() {
        print(terminal, args.json, &verdict, || board::outcome(&session))?;
        if tree.is_some() {
            writeln!(terminal.err, "no tree written: the game is over")?;
        }
        return Ok(Exit::No);
    }
    let interrupt = Interrupt::install();
    let mut analysis = session.choose(seat, &args.budget.first_limits(), &mut SearchProgress::new(&interrupt))?;
    if args.json {
        analysis.structure = session.structure().map(StructureView::from);
    }
    let (bounds, width) = (player.is_alpha_beta() && !analysis.book, terminal.width);
    print(terminal, args.json, &analysis, || listing(&session, &analysis, bounds, width))?;
    match tree {
        Some(_) if analysis.book => writeln!(terminal.err, "no tree written: the move is one of the book")?,
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

/// The moves as a table. With `upper_bounds`, moves after the first have upper bounds rather than values, unless proven.
fn listing(session: &Session, analysis: &Analysis, upper_bounds: bool, width: usize) -> String {
    let best = analysis.best.as_deref().unwrap_or_default();
    let listed = || analysis.moves.iter().take(LISTED);
    let proven = listed().any(|stat| stat.proof.is_some());
    let heads = ["move", ">visits", ">win %", "proven", "principal variation"];
    let wanted = |column: usize| column != 3 || proven;
    let mut lines = Table::new(1, &pick(heads, wanted));
    for (i, stat) in listed().enumerate() {
        let proof = stat.proof.as_ref().map(Proof::in_words).unwrap_or_default();
        let is_exact = stat.proof.is_some_and(|proof| proof.lower == proof.upper || proof.lower > 0 || proof.upper < 0);
        // A search that was stopped early has no bound for some moves, whose proofs may contain no information.
        let is_unknown = if upper_bounds {
            stat.proof.is_none() && stat.margin.is_none() && analysis.margin.is_some()
        } else {
            stat.visits == 0 && stat.value == 0.0 && !is_exact
        };
        let mark = if upper_bounds && i > 0 && !is_exact { "<= " } else { "" };
        let win = if is_unknown { String::new() } else { format!("{mark}{:.2}", stat.win_percent()) };
        lines.add_row(pick(
            [stat.mv.clone(), stat.visits.to_string(), win, proof, principal_variation(&stat.pv)],
            wanted,
        ));
    }
    let mut text = if analysis.moves.is_empty() { String::new() } else { lines.text(width) };
    if let Some(rest) = analysis.moves.get(LISTED..).filter(|rest| !rest.is_empty()) {
        let visits: u64 = rest.iter().map(|stat| stat.visits).sum();
        text += &format!("and {} more with {visits} visits\n", rest.len());
    }
    text += &format!("best for {}: {best}\n", session.side_name(session.to_move()));
    text + &done(analysis)
}

/// The requested columns.
fn pick<T>(columns: [T; 5], wanted: impl Fn(usize) -> bool) -> Vec<T> {
    columns.into_iter().enumerate().filter(|&(i, _)| wanted(i)).map(|(_, column)| column).collect()
}
