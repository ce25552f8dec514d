//! Compares `docs/json.md` with the output of the command: every object has exactly the fields of its table, of the
//! types and in the ranges of the table; the examples too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::panic;
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;
use std::thread;

use serde_json::{Deserializer, Map, Value};

use crate::{banyan, folder, text};

/// Sections and fields that do not occur here: they require a player that fails in the middle of a search, or a program
/// that is suspended.
const UNSEEN: [(&str, &str); 2] = [("query-error", "turnNumber"), ("game", "replays")];

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    Document::read(&fs::read_to_string(path).expect("docs/json.md"))
});

/// The sections with a table of fields, by anchor.
struct Document(BTreeMap<String, Section>);

#[derive(Default)]
struct Section {
    fields: Vec<Field>,
    /// Anchors of the sections whose fields it also has.
    includes: Vec<String>,
    examples: Vec<Value>,
}

/// A row of a table.
struct Field {
    /// The anchor of the table.
    section: String,
    name: String,
    /// `integer`, `list of string`, `[Move](#move)`.
    kind: String,
    range: String,
    /// Conditions under which it is absent or `null`.
    missing: String,
}

impl Document {
    fn read(text: &str) -> Document {
        let mut sections: BTreeMap<String, Section> = BTreeMap::new();
        let (mut anchor, mut example) = (String::new(), None);
        for line in text.lines() {
            let section = sections.entry(anchor.clone()).or_default();
            match (&mut example, line) {
                (None, "```json") => example = Some(String::new()),
                (Some(json), "```") => {
                    let objects = Deserializer::from_str(json).into_iter();
                    section
                        .examples
                        .extend(objects.map(|object| object.unwrap_or_else(|err| panic!("{anchor}: {err}"))));
                    example = None;
                }
                (Some(json), _) => *json += &format!("{line}\n"),
                (None, _) => {
                    if let Some((_, title)) = line.split_once("# ").filter(|_| line.starts_with('#')) {
                        anchor = title.to_lowercase().replace(' ', "-");
                    } else if line.starts_with("All fields of ") {
                        section.includes.extend(anchors(line));
                    } else if line.starts_with("| `") {
                        section.fields.push(Field::read(&anchor, line));
                    }
                }
            }
        }
        sections.retain(|_, section| !section.fields.is_empty());
        Document(sections)
    }

    fn section(&self, anchor: &str) -> &Section {
        self.0.get(anchor).unwrap_or_else(|| panic!("docs/json.md has no table in a section #{anchor}"))
    }

    fn fields(&self, anchor: &str) -> Vec<&Field> {
        let section = self.section(anchor);
        let included = section.includes.iter().flat_map(|included| self.fields(included));
        included.chain(&section.fields).collect()
    }
}

impl Field {
    fn read(section: &str, row: &str) -> Field {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, kind, range, _, missing] = cells.as_slice() else { panic!("five cells in {row}") };
        let known = ["never", "null", "absent"].iter().any(|word| missing.starts_with(word));
        assert!(known, "never, null .. or absent .. at the end of {row}");
        let [section, name, kind, range, missing] =
            [section, name.trim_matches('`'), kind, range, missing].map(str::to_owned);
        Field { section, name, kind, range, missing }
    }
}

/// The anchors of the links in a text: `list of [Move](#move)`.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    text.split("](#").skip(1).map(|rest| rest.split(')').next().unwrap_or_default().to_owned())
}

/// Compares objects with the tables, and records the fields that occurred, so that no table has a field that is never
/// written.
struct Check<'a> {
    document: &'a Document,
    /// Section and field.
    seen: BTreeSet<(String, String)>,
    /// Fields that were not always `null`.
    filled: BTreeSet<(String, String)>,
}

impl<'a> Check<'a> {
    fn new(document: &'a Document) -> Check<'a> {
        Check { document, seen: BTreeSet::new(), filled: BTreeSet::new() }
    }

    fn object(&mut self, anchor: &str, value: &Value) {
        let object = value.as_object().unwrap_or_else(|| panic!("{anchor}: no object: {value}"));
        let fields = self.document.fields(anchor);
        for name in object.keys() {
            assert!(fields.iter().any(|field| field.name == *name), "`{name}` is not in the table #{anchor}: {value}");
        }
        fields.into_iter().for_each(|field| self.field(anchor, field, object));
    }

    fn field(&mut self, anchor: &str, field: &Field, object: &Map<String, Value>) {
        let what = format!("`{}` of #{anchor}", field.name);
        let Some(value) = object.get(&field.name) else {
            assert!(field.missing.starts_with("absent"), "{what} is absent: {object:?}");
            return;
        };
        let id = (field.section.clone(), field.name.clone());
        self.seen.insert(id.clone());
        if value.is_null() {
            assert!(field.missing.starts_with("null"), "{what} is null: {object:?}");
        } else {
            self.filled.insert(id);
            self.kind(&field.kind, &field.range, &what, value);
        }
    }

    /// Whether `value` is of the type and in the range of its row.
    fn kind(&mut self, kind: &str, range: &str, what: &str, value: &Value) {
        let list = |value: &Value| value.as_array().unwrap_or_else(|| panic!("{what}: a list, not {value}")).clone();
        if let Some(inner) = kind.strip_prefix("list of ") {
            return list(value).iter().for_each(|item| self.kind(inner, range, what, item));
        }
        if let Some(inner) = kind.strip_prefix("map to ") {
            let map = value.as_object().unwrap_or_else(|| panic!("{what}: a map, not {value}"));
            return map.values().for_each(|item| self.kind(inner, range, what, item));
        }
        if let Some((n, inner)) = kind.split_once(" × ") {
            let items = list(value);
            assert_eq!(items.len().to_string(), n, "{what}: {value}");
            return items.iter().for_each(|item| self.kind(inner, range, what, item));
        }
        if let Some(anchor) = anchors(kind).next() {
            return self.object(&anchor, value);
        }
        let fits = match kind {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "interval" => {
                let ends = list(value);
                ends.len() == 3 && ends.iter().all(|end| end.is_null() || end.is_number() && is_in(range, end))
            }
            _ => panic!("{what}: unknown type {kind}"),
        };
        assert!(fits && is_in(range, value), "{what}: {value} is no {kind} in {range}");
    }
}

/// Whether a range cell allows the value: `-1..1`, `2`, or the words in backticks; any other text allows everything.
fn is_in(range: &str, value: &Value) -> bool {
    if let Some(word) = value.as_str() {
        let mut words = range.split('`').skip(1).step_by(2);
        return !range.starts_with('`') || words.any(|allowed| allowed == word);
    }
    let Some(number) = value.as_f64() else { return true };
    let first = range.split([' ', ',']).next().unwrap_or_default();
    let ends = first.split_once("..").unwrap_or((first, first));
    match (ends.0.parse::<f64>(), ends.1.parse::<f64>()) {
        (Ok(low), Ok(high)) => (low..=high).contains(&number),
        _ => true,
    }
}

/// The output of the command in `folder` for the standard input `input`, with any exit code.
fn stdout(folder: &Path, line: &str, input: &str) -> String {
    let args: Vec<&str> = line.split(' ').collect();
    let mut child = banyan(&args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the command reads");
    let output = child.wait_with_output().expect("the command ends");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn objects(json: &str) -> Vec<Value> {
    Deserializer::from_str(json)
        .into_iter()
        .map(|object| object.unwrap_or_else(|err| panic!("{err}: {json}")))
        .collect()
}

/// Objects of one section from several runs.
fn check_runs(check: &mut Check, anchor: &str, lines: &[&str]) {
    let folder = folder(&format!("json-{anchor}"));
    for line in lines {
        let objects = objects(&stdout(&folder, line, ""));
        assert!(!objects.is_empty(), "{line}: no output");
        objects.iter().for_each(|object| check.object(anchor, object));
    }
}

fn check_analyses(check: &mut Check) {
    check_runs(
        check,
        "analysis",
        &[
            "analyse connect-four:4x4 --budget playouts=50 --json",
            "analyse connect-four:4x4 --moves 1121 --player mcgs --budget playouts=500 --json",
            "analyse connect-four --moves 4343434 --json",
            "analyse connect-four --moves 434343 --budget playouts=50 --json",
            "analyse dots-and-boxes:2x2 --player uct:reward=margin --budget playouts=50 --json",
            "analyse dots-and-boxes:1x4 --moves h0,0,h1,0 --budget 50ms --json",
            "analyse reversi:4x4 --player uct:reward=win+margin --budget playouts=50 --json",
            "analyse reversi --player greedy --json",
            "analyse connect-four --player pvs --budget depth=3 --json",
            "analyse reversi --player pvs --budget depth=3 --lines 2 --json",
            "analyse connect-four:4x4 --player random --json",
            "analyse reversi --opening tiger --player greedy --json",
        ],
    );
    let folder = folder("json-tree");
    let book = "--out boxes.book --player pvs --budget depth=2 --plies 2 --positions 20";
    stdout(&folder, &format!("book make dots-and-boxes:1x2 {book}"), "");
    stdout(&folder, "book solve connect-four:4x4 --plies 2 --out exact.book", "");
    for (anchor, line) in [
        ("exact-book", "book show exact.book --moves 1 --json"),
        ("book", "book show boxes.book --json"),
        ("book", "book show boxes.book --moves h0,0 --json"),
        ("analysis", "analyse dots-and-boxes:1x2 --player random:book=boxes.book --json"),
    ] {
        check.object(anchor, &objects(&stdout(&folder, line, ""))[0]);
    }
    for (line, file) in [
        ("analyse connect-four:4x4 --moves 1121 --player mcgs --budget playouts=500 --tree search.json", "search.json"),
        (
            "analyse dots-and-boxes:1x2 --player uct:reward=margin --budget playouts=50 --tree margin.json",
            "margin.json",
        ),
    ] {
        stdout(&folder, line, "");
        let tree = fs::read_to_string(folder.join(file)).expect("a tree");
        check.object("search-tree", &objects(&tree)[0]);
    }
    let answered = r#"{"id":"a","game":"reversi:4x4","maxVisits":20,"unknown":1}
{"id":"b","game":"reversy"}
{"id":"v","action":"query_version"}
{"id":"t","action":"terminate","terminateId":"nobody","turnNumbers":[9]}
"#;
    // The second query waits for the first, which is terminated.
    let ended = r#"{"id":"x","game":"connect-four","maxTime":60}
{"id":"y","game":"reversi"}
{"id":"t","action":"terminate_all"}
"#;
    let answers = [answered, ended].map(|queries| stdout(&folder, "analysis --threads 1", queries));
    for answer in answers.iter().flat_map(|answers| objects(answers)) {
        let section = [("error", "query-error"), ("warning", "query-warning"), ("action", "action-done")];
        let found = section.iter().find(|(field, _)| answer.get(field).is_some());
        let result = if answer.get("noResults").is_some() { "no-result" } else { "query-answer" };
        check.object(found.map_or(result, |(_, anchor)| anchor), &answer);
    }
}

fn check_solutions(check: &mut Check) {
    let of_book = "solve connect-four --moves 444442 --prove winner --json";
    let lines = ["solve dots-and-boxes:1x2 --json", "solve reversi --budget 20ms --json", of_book];
    check_runs(check, "solution", &lines);
    let folder = folder("json-scored");
    let board = "OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X;";
    fs::write(folder.join("a.obf"), format!("{board} E1:-30; G3:-40;\n{board} G3:-30;\n")).expect("a file");
    fs::write(folder.join("b.obf"), format!("{board}\n")).expect("a file");
    for line in ["--file a.obf", "--file b.obf --budget nodes=1", "--file b.obf --prove value"] {
        let objects = objects(&stdout(&folder, &format!("solve reversi {line} --json"), ""));
        let (sum, lines) = objects.split_last().expect("a sum");
        check.object("solved-file", sum);
        lines.iter().for_each(|object| check.object("solved-line", object));
    }
    for line in ["pvs:depth=4", "greedy", "uct --budget playouts=20"] {
        let objects = objects(&stdout(&folder, &format!("accuracy reversi {line} --file a.obf --json"), ""));
        check.object("accuracy", &objects[0]);
    }
}

fn check_reviews(check: &mut Check) {
    let folder = folder("json-review");
    let played =
        "match connect-four:4x4 greedy uct --pairs 1 --openings none --budget playouts=9 --seed 1 --quiet --out m";
    stdout(&folder, played, "");
    // The sides alternate, so that in a game of one move one side has none.
    fs::write(folder.join("a.txt"), "3323\n").expect("a record");
    fs::write(folder.join("b.txt"), "f5f6\n").expect("a record");
    for line in ["m --budget playouts=200", "a.txt --budget playouts=20", "b.txt --plies 1..1 --budget nodes=2000"] {
        let review = &objects(&stdout(&folder, &format!("review {line} --json"), ""))[0];
        check.object("review", review);
        assert_eq!(review["complete"], true);
    }
    save_blunder(&folder);
    // A box is offered while there are safe edges.
    let offered = r#"{"v":1,"game":"dots-and-boxes:1x3","players":["a","b"],"moves":["v0,0","h0,0","h1,0"]}"#;
    fs::write(folder.join("offered.json"), offered).expect("a saved game");
    for name in ["blunder", "offered"] {
        let review = &objects(&stdout(&folder, &format!("review {name}.json --budget nodes=1e7 --json"), ""))[0];
        check.object("review", review);
    }
}

/// A game that the solver proves, with a blunder.
fn save_blunder(folder: &Path) {
    let saved = r#"{"v":1,"game":"connect-four:4x5","players":["a","b"],"moves":["3","3","2","3","4","1","5"]}"#;
    fs::write(folder.join("blunder.json"), saved).expect("a saved game");
}

fn check_speeds(check: &mut Check) {
    check_runs(check, "thread-speed", &["bench connect-four:4x4 --threads 2 --playouts 500 --runs 1 --json"]);
    // The rest takes minutes.
    let mut bench =
        banyan(&["bench", "connect-four:4x4", "--json"]).stdout(Stdio::piped()).spawn().expect("the command starts");
    let mut line = String::new();
    BufReader::new(bench.stdout.take().expect("a pipe")).read_line(&mut line).expect("a first speed");
    bench.kill().expect("the command runs");
    bench.wait().expect("the command ends");
    check.object("speed", &objects(&line)[0]);
}

fn check_statistics(check: &mut Check) {
    let strengths = [
        "calc elo 60 5 35 --json",
        "calc elo --pentanomial 5,10,40,20,25 --json",
        "calc elo 9 0 0 --json",
        "calc elo 0 0 0 --json",
    ];
    check_runs(check, "calc-elo", &strengths);
    check_runs(
        check,
        "calc-sprt",
        &["calc sprt 0,10 --pentanomial 5,10,40,20,25 --json", "calc sprt 0,10 60 5 35 --json"],
    );
    check_runs(check, "player", &["players --json"]);
    check_runs(check, "game-family", &["games --json"]);
    check_runs(check, "named-opening", &["openings names reversi --json"]);
    let positions = [
        "show reversi --json",
        "show reversi --opening tiger --json",
        "show connect-four --moves 4343434 --json",
        "show dots-and-boxes:1x1 --moves 0 --json",
        "show dots-and-boxes:1x4 --moves h0,0,h1,0 --structure --json",
    ];
    check_runs(check, "shown-position", &positions);
}

fn check_saved_games(check: &mut Check) {
    let folder = folder("json-saved");
    let loaded = r#"{"v":1,"game":"connect-four:4x4","position":"4/4/4/xo2 x","players":["a","b"],"moves":["1"]}"#;
    fs::write(folder.join("loaded.json"), loaded).expect("a saved game");
    for moves in ["load loaded.json\nsave a.json\nquit\n", "4\n3\n4\n3\n4\n3\n4\nsave b.json\nquit\n"] {
        stdout(&folder, "play --first human --second human", moves);
    }
    for file in ["a.json", "b.json"] {
        let saved = fs::read_to_string(folder.join(file)).expect("a saved game");
        check.object("saved-game", &objects(&saved)[0]);
        let shown = objects(&stdout(&folder, &format!("show --record {file} --json"), ""));
        check.object("shown-position", &shown[0]);
        assert_eq!(shown[0]["players"], objects(&saved)[0]["players"]);
    }
}

/// Events, records and summaries of three matches: of three players, of one that loses on time, and with a test; each
/// with a review of the lost games. The first and the last take over a second, after which an event reports the
/// standing.
fn check_matches(check: &mut Check) {
    let folder = folder("json-match");
    // SAU cannot express time limits, so this engine uses its own budget and exceeds that of the match.
    let command = env!("CARGO_BIN_EXE_banyan").replace('\\', "\\\\");
    let engines = format!("[late]\ncommand = [\"{command}\", \"sau\", \"--budget\", \"400ms\"]\nprotocol = \"sau\"\n");
    fs::write(folder.join("engines.toml"), engines).expect("a file of engines");
    for (out, line) in [
        ("three", "dots-and-boxes:3x3 uct greedy random --pairs 2 --budget 30ms --openings none --jobs 1"),
        ("fault", "dots-and-boxes:2x2 late@5ms random --pairs 1 --openings none --margin 0ms --jobs 2"),
        ("test", "connect-four:4x4 uct random@playouts=1 --sprt -100,100 --budget 40ms --openings none --jobs 1"),
        ("named", "reversi greedy random --pairs 1 --openings random:plies=2 --jobs 1"),
    ] {
        let events = stdout(&folder, &format!("match {line} --seed 1 --out {out} --json --export {out}.json"), "");
        for event in objects(&events) {
            let anchor = match event["event"].as_str() {
                Some("game_end") => "game",
                Some("stats") => "match-standing",
                _ => "match-result",
            };
            check.object(anchor, &event);
        }
        let read = |path: String| fs::read_to_string(folder.join(path)).expect("a file of the match");
        objects(&read(format!("{out}/games.jsonl"))).iter().for_each(|game| check.object("game", game));
        let summary = read(format!("{out}/summary.json"));
        check.object("match-summary", &objects(&summary)[0]);
        assert_eq!(summary, read(format!("{out}.json")));
    }
    for out in ["three", "fault", "test"] {
        let args =
            format!("match --resume {out} --engines engines.toml --quiet --review playouts=50 --export lost.json");
        stdout(&folder, &args, "");
        let summary = fs::read_to_string(folder.join("lost.json")).expect("an export");
        check.object("match-summary", &objects(&summary)[0]);
        let kept = fs::read_to_string(folder.join(out).join("reviews.jsonl")).unwrap_or_default();
        objects(&kept).iter().for_each(|kept| check.object("kept-review", kept));
    }
    let pool = "connect-four:4x5 greedy random uct --budget playouts=30 --pairs 40 --openings random:plies=3";
    for (out, anchor) in [("rated", ""), ("anchored", " --anchor random --error 1")] {
        let printed = stdout(&folder, &format!("rate {pool} --out {out} --json{anchor}"), "");
        check.object("rating", &objects(&printed)[0]);
        assert_eq!(printed, fs::read_to_string(folder.join(out).join("rating.json")).expect("a rating"));
    }
    check.object("match-result", &objects(&stdout(&folder, "merge three --json", ""))[0]);
}

/// Sweeps of one setting and of two, by score and by margin, with a fit and with too few games.
fn check_sweeps(check: &mut Check) {
    let folder = folder("json-sweep");
    for (out, line) in [
        ("one", "connect-four:5x5 uct --vary c=0.1..2.5/5 --pairs 20 --budget playouts=50 --by-colour --repetitions 2"),
        ("two", "dots-and-boxes:2x2 uct --vary c=1,4,16:log --vary expand-at=1,2,3 --quantity margin --pairs 3"),
        ("few", "connect-four:4x4 uct --vary c=0.2,0.4,0.8 --pairs 1 --budget playouts=20"),
        ("off", "connect-four:4x4 uct --vary fpu=0,0.4,0.8 --pairs 3 --budget playouts=20"),
    ] {
        let result = stdout(&folder, &format!("sweep {line} --json --out {out}"), "");
        check.object("sweep-result", &objects(&result)[0]);
        assert_eq!(result, fs::read_to_string(folder.join(out).join("sweep.json")).expect("a result"));
    }
}

/// Ablations at one budget and at two, with names and notes, with settings that stay, and with too few games.
fn check_ablations(check: &mut Check) {
    let folder = folder("json-ablation");
    let rows = "[[row]]\nname = \"no exploration\"\nsettings = \"c=0\"\nnote = \"greedy\"\npaper = \"none\"\n";
    fs::write(folder.join("rows.toml"), rows).expect("a file of rows");
    let two = "--budget playouts=20 --budget playouts=40 --pairs 8";
    for (out, line) in [
        ("off", format!("connect-four:4x4 mcgs --off {two}")),
        ("on", format!("connect-four:4x4 uct --on c=2 --rows rows.toml {two}")),
        ("few", "connect-four:4x4 uct --on c=0.1 --budget playouts=20 --pairs 1".to_owned()),
    ] {
        let result = stdout(&folder, &format!("ablate {line} --json --out {out}"), "");
        check.object("ablation-result", &objects(&result)[0]);
        assert_eq!(result, fs::read_to_string(folder.join(out).join("ablation.json")).expect("a result"));
    }
}

/// Tunings by both methods, of one setting and of two, with a confirming match and with too few games; a ladder.
fn check_tunings(check: &mut Check) {
    let folder = folder("json-tune");
    let runs = [
        ("clop", "tune connect-four:4x4 uct --vary c=0.1..2:log --vary expand-at=1..6 --pairs 60 --confirm 4"),
        ("spsa", "tune connect-four:4x4 uct --vary c=0.1..2 --pairs 24 --method spsa --confirm 0"),
        ("off", "tune connect-four:4x4 uct --vary fpu=0..1 --pairs 24 --confirm 0"),
        ("ladder", "ladder greedy --game connect-four --pairs 1 --openings random:plies=4"),
    ];
    for (out, line) in runs {
        let budget = if out == "ladder" { "" } else { " --budget playouts=20" };
        let result = stdout(&folder, &format!("{line}{budget} --json --out {out}"), "");
        let (anchor, file) = if out == "ladder" { ("ladder", "ladder.json") } else { ("tuning-result", "tune.json") };
        check.object(anchor, &objects(&result)[0]);
        let read = |name: &str| fs::read_to_string(folder.join(out).join(name)).expect("a file of the folder");
        assert_eq!(result, read(file));
        objects(&read("games.jsonl")).iter().for_each(|game| check.object("game", game));
    }
}

/// All checks in parallel, on separate threads: most of the time is spent waiting.
#[test]
fn json_is_as_documented() {
    let checks = [
        check_analyses,
        check_solutions,
        check_reviews,
        check_speeds,
        check_statistics,
        check_saved_games,
        check_matches,
        check_sweeps,
        check_ablations,
        check_tunings,
    ];
    let mut all = Check::new(&DOCUMENT);
    thread::scope(|scope| {
        let run = |check: fn(&mut Check)| {
            let mut found = Check::new(&DOCUMENT);
            check(&mut found);
            found
        };
        let threads = checks.map(|check| scope.spawn(move || run(check)));
        for found in threads.map(|thread| thread.join().expect("output as documented")) {
            all.seen.extend(found.seen);
            all.filled.extend(found.filled);
        }
    });
    for (anchor, section) in &DOCUMENT.0 {
        for field in &section.fields {
            let id = (anchor.clone(), field.name.clone());
            let is_seen = all.seen.contains(&id) || UNSEEN.contains(&(anchor, &field.name));
            assert!(is_seen, "nothing wrote `{}` of #{anchor}", field.name);
        }
        section.examples.iter().for_each(|example| all.object(anchor, example));
    }
    // Some fields are filled only in measurements that take minutes, for which the document has examples.
    let empty: Vec<_> = all.seen.difference(&all.filled).collect();
    assert!(empty.is_empty(), "always null: {empty:?}");
}

#[test]
fn values_are_results_and_margins_are_points() {
    for (anchor, section) in &DOCUMENT.0 {
        for Field { name, kind, range, .. } in &section.fields {
            let is_right = match name.as_str() {
                "value" => kind.ends_with("number") && range.starts_with("-1..1"),
                // An expected margin may have decimals.
                "margin" => (kind == "integer" || kind == "number") && range.starts_with("points"),
                _ => true,
            };
            assert!(is_right, "`{name}` of #{anchor}: {kind}, {range}");
        }
    }
}

#[test]
fn what_is_not_documented_is_found() {
    let section = "# A\n| `x` | list of number | -1..1 | | never |\n| `y` | string | `a` or `b` | | absent: no y |\n";
    let document = Document::read(section);
    let check = |json: &str| {
        let object = serde_json::from_str(json).expect("JSON");
        panic::catch_unwind(|| Check::new(&document).object("a", &object)).is_ok()
    };
    for right in [r#"{"x":[0.5,1]}"#, r#"{"x":[],"y":"b"}"#] {
        assert!(check(right), "{right}");
    }
    let wrong =
        [r#"{}"#, r#"{"x":[2]}"#, r#"{"x":["1"]}"#, r#"{"x":[],"y":"c"}"#, r#"{"x":[],"y":null}"#, r#"{"x":[],"z":1}"#];
    for wrong in wrong {
        assert!(!check(wrong), "{wrong}");
    }
}
