//! `banyan solve --file`: solves the positions of a file, compares with its scores, and writes the scores of all moves.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use banyan_catalog::storage::{Journal, JournalKind, LineForm, Opened};
use banyan_catalog::view::{Solved, VERSION, json_line};
use banyan_catalog::{AnyGame, Catalog, Goal, KeptProver, Opening, ScoredPosition, Session};
use banyan_core::TextError;
use banyan_formats::ScoredFile;
use serde::Serialize;

use super::args::SolveArgs;
use super::part::PartPlan;
use super::progress::solve_progress;
use crate::Exit;
use crate::input::scored_file::read;
use crate::interrupt::{self, Interrupt};
use crate::output::terminal::Terminal;
use crate::output::work::{mean_time, work};

/// A position as printed by `--json`.
#[derive(Serialize)]
struct SolvedLine {
    #[serde(flatten)]
    solved: Solved,
    line: usize,
    given: Option<i16>,
    agrees: Option<bool>,
}

impl SolvedLine {
    fn new(position: &ScoredPosition, solved: Solved, goal: Goal) -> SolvedLine {
        let given = position.best();
        let agrees = given.and_then(|given| {
            let proof = solved.proof();
            if !(proof.lower..=proof.upper).contains(&given) || contradicted(position, &solved).is_some() {
                return Some(false);
            }
            solved.reaches(goal).then_some(true)
        });
        SolvedLine { solved, line: position.line, given, agrees }
    }
}

/// The first move whose score is outside its proven bounds.
fn contradicted<'p>(position: &'p ScoredPosition, solved: &Solved) -> Option<&'p (String, i16)> {
    position.scores.iter().find(|(mv, score)| {
        let proven = solved.moves.iter().find(|proven| proven.mv == *mv);
        proven.is_some_and(|proven| !(proven.lower..=proven.upper).contains(score))
    })
}

/// Whether the solved scores differ from the given ones.
fn differ(given: &ScoredPosition, solved: &ScoredPosition) -> bool {
    let is_other =
        |(mv, score): &(String, i16)| solved.scores.iter().any(|(other, found)| other == mv && found != score);
    let has_other_best = given.best().zip(solved.best()).is_some_and(|(given, solved)| given != solved);
    has_other_best || given.scores.iter().any(is_other)
}

/// The totals of all positions of a file that were searched.
#[derive(Serialize)]
struct Sum {
    v: u32,
    file: String,
    positions: usize,
    solved: usize,
    agree: usize,
    disagree: usize,
    /// Those of which a book had the value, or bounds.
    from_book: usize,
    nodes: u64,
    elapsed_ms: f64,
}

impl Sum {
    /// The totals of a file before the first position.
    fn of(path: &Path) -> Sum {
        let file = path.display().to_string();
        Sum {
            v: VERSION,
            file,
            positions: 0,
            solved: 0,
            agree: 0,
            disagree: 0,
            from_book: 0,
            nodes: 0,
            elapsed_ms: 0.0,
        }
    }

    fn add(&mut self, line: &SolvedLine, goal: Goal) {
        self.positions += 1;
        self.solved += usize::from(line.solved.reaches(goal));
        self.agree += usize::from(line.agrees == Some(true));
        self.disagree += usize::from(line.agrees == Some(false));
        self.from_book += usize::from(line.solved.book.is_some());
        self.nodes += line.solved.nodes;
        self.elapsed_ms = ((self.elapsed_ms + line.solved.elapsed_ms) * 1000.0).round() / 1000.0;
    }

    fn in_words(&self) -> String {
        let Sum { positions, solved, agree, disagree, from_book, .. } = self;
        let compared = match (agree, disagree) {
            (0, 0) => String::new(),
            (_, 0) => format!(", {agree} as in the file"),
            _ => format!(", {agree} as in the file and {disagree} not"),
        };
        let book = if *from_book > 0 { format!(", {from_book} with a book") } else { String::new() };
        let n = self.positions as u64;
        let mean = format!("mean {} and {} nodes", mean_time(self.elapsed_ms, n), self.nodes / n.max(1));
        let work = work(self.nodes, self.elapsed_ms);
        format!("sum: {positions} positions, {solved} solved{compared}{book}; {work}; {mean}")
    }
}

/// Exits with 0 if every position is solved, also by an earlier call with the same `--out`, and agrees with the scores
/// of the file.
pub(crate) fn run(args: &SolveArgs, path: &Path, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let game = catalog.game(args.at.game().expect("clap requires a game without moves or a position"))?;
    let positions: Vec<ScoredPosition> = read(path, &game)?;
    let tables = catalog.tables(&game.spec()).expect("a game of the catalog has tables");
    let goal = args.goal(&tables);
    let needed = if ScoredFile::of(&game)?.scores_moves() { Goal::Everything } else { Goal::Value };
    if args.out.is_some() && goal < needed {
        let (scores, least) = if needed == Goal::Value { ("scores", "value") } else { ("scores of all moves", "all") };
        let expected = format!("expected the {scores} with --out");
        bail!(TextError::new("--prove with --out", expected, format!("use --prove {least}, or leave out one of them")));
    }
    let (positions, out) = match (args.shard, &args.out) {
        (Some(shard), Some(folder)) => {
            let (plan, mine) = PartPlan::new(&game, positions, &args.budget.to_string(), shard)?;
            (mine, Some(plan.open(folder)?))
        }
        (_, out) => (positions, out.clone()),
    };
    let n = positions.len();
    let mut out = out.as_deref().map(|out| ScoredOut::open(out, path, &game, &positions)).transpose()?;
    let Known { n: n_known, n_open, n_wrong } = out.as_ref().map_or_else(Known::default, |out| out.known);
    if n_known > 0 {
        let open = if n_open > 0 {
            format!(", {n_open} of them unsolved; use another name to try again")
        } else {
            String::new()
        };
        let wrong = if n_wrong > 0 { format!("; {n_wrong} not as in the file") } else { String::new() };
        writeln!(terminal.err, "{n_known} of {n} positions are in the file of --out already{open}{wrong}")?;
    }
    let book = args.book(&game.begin(Opening::Start)?, &tables)?;
    let interrupt = Interrupt::install();
    if out.is_some() {
        interrupt::set_resume("the same command resumes");
    }
    let (limits, mut kept) = (args.budget.first_limits(), KeptProver::default());
    let mut sum = Sum::of(path);
    if !args.json {
        writeln!(terminal.out, "{}", row("line", "value", "nodes", "time", "file", "best"))?;
    }
    for position in &positions[n_known..] {
        let mut session = position.open(&game)?;
        session.set_solver_book(book.clone());
        let what = format!("line {}: ", position.line);
        let mut observer = solve_progress(&interrupt, &what);
        let solved = session.prove_keeping(&mut kept, goal, args.means(), &limits, &mut observer);
        let line = SolvedLine::new(position, solved, goal);
        if interrupt.pressed() && !line.solved.reaches(goal) {
            break;
        }
        sum.add(&line, goal);
        let text = if args.json { json_line(&line) } else { in_words(&line, position, &session) };
        writeln!(terminal.out, "{text}")?;
        terminal.out.flush()?;
        if let Some(out) = &mut out {
            out.write(position, &line.solved)?;
        }
        if interrupt.pressed() {
            break;
        }
    }
    if let Some(out) = &mut out {
        out.sync()?;
    }
    writeln!(terminal.out, "{}", if args.json { json_line(&sum) } else { sum.in_words() })?;
    if interrupt.pressed() {
        let resumes = if out.is_some() { "; the same command resumes" } else { "" };
        writeln!(terminal.err, "interrupted after {} of {n} positions{resumes}", n_known + sum.positions)?;
        return Ok(Exit::Interrupted);
    }
    Ok(if n_open + n_wrong == 0 && sum.solved == sum.positions && sum.disagree == 0 { Exit::Done } else { Exit::No })
}

fn in_words(line: &SolvedLine, position: &ScoredPosition, session: &Session) -> String {
    let solved = &line.solved;
    let compared = match line.agrees {
        Some(true) => "agrees".to_owned(),
        Some(false) => {
            let other = contradicted(position, solved).map(|(mv, score)| format!("{mv}:{score:+}"));
            other.unwrap_or_else(|| format!("{:+}", line.given.unwrap_or_default()))
        }
        None => String::new(),
    };
    let best = if session.result().is_some() { "the game is over".to_owned() } else { solved.best.join(" ") };
    let time = format!("{:.3} s", solved.elapsed_ms / 1000.0);
    row(&line.line.to_string(), &solved.proof().in_words(), &solved.nodes.to_string(), &time, &compared, &best)
}

/// A row of a table that grows during the search, so its widths are fixed.
fn row(line: &str, value: &str, nodes: &str, time: &str, file: &str, best: &str) -> String {
    format!("{line:>5}  {value:<15}  {nodes:>12}  {time:>11}  {file:<8}  {best}").trim_end().to_owned()
}

const KIND: JournalKind = JournalKind {
    form: LineForm::Comment,
    busy: "writing this file",
    work: "the solver",
    in_folder: false,
    resume: |path| format!("continue with the same command and --out {path}"),
};

/// The file of `--out`.
struct ScoredOut {
    journal: Journal,
    form: ScoredFile,
    /// The positions that it already contained.
    known: Known,
}

/// Counts of the positions that an earlier call has written.
#[derive(Clone, Copy, Default)]
struct Known {
    n: usize,
    /// Those that have moves but no scores.
    n_open: usize,
    /// Those whose scores differ from the file being solved.
    n_wrong: usize,
}

impl ScoredOut {
    /// A new file, or one that an earlier run with the same positions has begun.
    fn open(path: &Path, source: &Path, game: &AnyGame, positions: &[ScoredPosition]) -> Result<ScoredOut> {
        let form = ScoredFile::of(game)?;
        if path.is_dir() {
            let found = format!("--out {}: a folder", path.display());
            return Err(TextError::new(found, "expected a file without --shard", "use another name").into());
        }
        if path.canonicalize().is_ok_and(|path| source.canonicalize().is_ok_and(|source| path == source)) {
            let found = format!("--out {}", path.display());
            return Err(TextError::new(found, "expected another file than --file", "use another name").into());
        }
        let Opened { mut journal, lines } = Journal::open(path, &KIND)?;
        // In a file without a line end the rest is its first line, unless it is the beginning of our first line.
        let bare = |position: &ScoredPosition| form.line(&position.without_scores());
        let is_new = lines.is_empty()
            && positions.first().is_some_and(|position| {
                // Without the scores, of which an interrupted line may contain some.
                let (bare, rest) = (bare(position), lines.rest());
                // A longer line of moves is another position.
                let ends = |next: &[u8]| next.first().is_none_or(|&byte| byte != b',' && !byte.is_ascii_alphanumeric());
                rest.strip_prefix(bare.as_bytes()).is_some_and(ends) || bare.as_bytes().starts_with(rest)
            });
        let text = lines.content()?;
        let written =
            if is_new { Vec::new() } else { form.read(text.into_bytes()).map_err(|err| err.at(path.display()))? };
        let mut known = Known { n: written.len(), ..Known::default() };
        for (i, other) in written.iter().enumerate() {
            let Some(position) = positions.get(i).filter(|position| bare(position) == bare(other)) else {
                let expected = format!("expected position {} of {}", i + 1, source.display());
                let err = TextError::new(format!("line {}", other.line), expected, "use another name");
                return Err(err.at(path.display()).into());
            };
            let session = other.open(game).map_err(|err| err.at(path.display()))?;
            known.n_open += usize::from(other.best().is_none() && !session.legal_moves().is_empty());
            known.n_wrong += usize::from(differ(position, other));
        }
        // An incomplete line was being written when the program was killed.
        journal.cut_off()?;
        Ok(ScoredOut { journal, form, known })
    }

    fn write(&mut self, position: &ScoredPosition, solved: &Solved) -> Result<()> {
        let scored = if self.form.scores_moves() {
            // With scores of only some moves, the best of these would be mistaken for that of the position: all or none.
            let exact: Option<_> = solved.moves.iter().map(|mv| Some((mv.mv.clone(), mv.margin?))).collect();
            ScoredPosition { scores: exact.unwrap_or_default(), ..position.without_scores() }
        } else {
            ScoredPosition { score: solved.margin, ..position.without_scores() }
        };
        Ok(self.journal.append(&self.form.line(&scored))?)
    }

    /// Writes the data to disk, and detects that the file no longer exists.
    fn sync(&mut self) -> Result<()> {
        Ok(self.journal.sync()?)
    }
}
