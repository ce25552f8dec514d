//! Exported files, compared with reviewed ones. `UPDATE=1 cargo test -p banyan-matches --test it exports` rewrites the files in `exports/`.

use std::fs;
use std::path::PathBuf;

use banyan_catalog::Catalog;
use banyan_catalog::pairs::{EndingKind, GameLine, SideName};
use banyan_matches::MatchConfig;
use banyan_matches::exports::{Details, Outcome, export_for};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::StageGames;

use crate::fixture::{config, fault, pair, pairs, sprt};

/// Three players, one of whom has a name that every format must escape.
fn three() -> (MatchConfig, Vec<GameLine>) {
    let mut config = config(&["anna", "bert,\"<b>|4", "cleo"]);
    config.game = "connect-four:9-12x9-12,holes=1".to_owned();
    let players = [[0, 1], [0, 2], [1, 2]];
    let results = [["+-", "+-", "+="], ["+-", "=-", "++"], ["++", "+-", "+-"], ["-+", "+-", "+-"]];
    let round = |i: usize| (0..3).flat_map(move |k| pair((3 * i + k) as u64, players[k], results[i][k]));
    let mut games: Vec<GameLine> = (0..4).flat_map(round).collect();
    games[3] = fault(games[3].clone(), SideName::First, EndingKind::Illegal);
    (config, games)
}

fn two() -> (MatchConfig, Vec<GameLine>) {
    let mut config = config(&["anna", "bert"]);
    config.sprt = sprt(0.0, 20.0);
    let cycle = ["+-", "++", "++", "-+", "+-", "=-", "+-", "++", "-+", "=="];
    let results: Vec<&str> = cycle.iter().copied().cycle().take(49).chain(["+"]).collect();
    (config, pairs(&results))
}

fn export(name: &str, (config, lines): &(MatchConfig, Vec<GameLine>)) -> String {
    let stages = [StageGames { config, lines }];
    // The catalog has no game, so that no board can be drawn: the games are still listed.
    let none = Catalog::empty();
    let outcome = Outcome::of(&none, Kind::of(config, &none), &stages, Details::default());
    let text = export_for(name).expect(name)(&outcome.expect("a result"));
    assert!(!text.contains("NaN") && !text.contains("inf,") && !text.contains("-0.0 "), "{name}: {text}");
    text
}

#[track_caller]
fn check(name: &str, game: &(MatchConfig, Vec<GameLine>)) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/exports").join(name);
    let found = export(name, game);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, found).expect("the file can be written");
        return;
    }
    let expected = fs::read_to_string(&path).expect("the file reviewed");
    assert_eq!(found.replace('\r', ""), expected.replace('\r', ""), "{name} (UPDATE=1 accepts it)");
}

#[test]
fn tables_are_as_reviewed() {
    for name in ["three.md", "three.csv", "three.course.md", "three.course.csv", "three.table.csv", "three.svg"] {
        check(name, &three());
    }
    for name in ["two.md", "two.csv", "two.json", "two.games.csv", "two.pairs.csv", "two.moves.csv", "two.svg"] {
        check(name, &two());
    }
}

/// Tags that are opened and closed, and in the right order.
fn assert_balanced(html: &str) {
    const VOID: [&str; 4] = ["meta", "line", "polygon", "polyline"];
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every tag ends");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).expect("every tag has a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes another tag");
        } else if VOID.contains(&name) {
            assert!(name == "meta" || tag.ends_with('/'), "<{tag}>");
        } else if !tag.starts_with('!') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} are never closed");
}

/// The page without its scripts, which are text between tags.
fn page(game: &(MatchConfig, Vec<GameLine>)) -> String {
    let whole = export("x.html", game);
    assert!(!whole.contains("<b>|4") && !whole.contains("src=") && !whole.contains("http"), "{whole}");
    let parts = whole.split("<script").enumerate();
    parts.map(|(i, part)| if i == 0 { part } else { part.split_once("</script>").expect("it ends").1 }).collect()
}

#[test]
fn the_page_is_whole_and_needs_nothing_else() {
    for game in [three(), two(), (config(&["anna", "bert"]), Vec::new())] {
        assert_balanced(&page(&game));
    }
    let page = page(&two());
    assert_eq!(page.matches("<svg").count(), 2, "the interval and the path of the test");
    assert_eq!(page.matches("class=\"bound\"").count(), 2);
    assert_eq!(export("x.html", &three()).matches("class=\"n heat\"").count(), 6);
}

#[test]
fn a_page_with_games_lists_them_and_the_lost_ones_by_cause() {
    let (config, mut games) = three();
    games[3].fault = Some("illegal move: <9>".to_owned());
    let n = games.len();
    let page = export("x.html", &(config, games));
    assert_eq!(page.matches("<tr><td><button").count(), n);
    assert!(page.contains("<td class=\"n\">3.0 / -</td>"), "the memory of the first side alone is known: {page}");
    assert!(page.contains("<p>illegal move: 1</p>") && page.contains("illegal move: &lt;9&gt;"), "{page}");
    assert!(page.contains("<p>on the board: ") && !page.contains("http") && !page.contains("src="));
    let order = page.find("illegal move: 1<").zip(page.find("on the board: "));
    assert!(order.is_some(), "faults are listed");
}

#[test]
fn fields_with_commas_and_quotes_are_quoted() {
    let csv = export("x.csv", &three());
    let row = csv.lines().nth(1).expect("a row");
    assert!(row.starts_with(r#"anna,"bert,""<b>|4","#), "{row}");
    let columns = csv.lines().next().expect("headings").split(',').count();
    let plain = csv.lines().nth(2).expect("anna and cleo");
    assert_eq!(plain.split(',').count(), columns, "{plain}");
}

#[test]
fn other_endings_are_refused_with_a_hint() {
    let err = export_for("result.htm").expect_err("no form").to_string();
    assert!(err.contains("did you mean .html?") && !err.contains('\n'), "{err}");
    assert!(export_for("RESULT.HTML").is_ok() && export_for("md").is_err());
}
