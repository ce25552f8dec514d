//! The top of a search as JSON, Graphviz and SVG: every position once, values from the right side, nothing overlapping.

mod walk;
mod xml;

use std::path::Path;
use std::sync::Arc;

use banyan_catalog::exploration::in_words;
use banyan_catalog::view::{Exploration, json_line};
use banyan_connect_four::{self as connect_four, ConnectFour};
use banyan_core::{ErasedGame, ErasedState, Explored, ExploredEdge, ExploredNode, Game, Notation, Side};
use banyan_dots_and_boxes::{self as dots_and_boxes, DotsAndBoxes};
use banyan_reversi::{self as reversi, Reversi};
use banyan_review::drawing::{Form, dot, svg};
use banyan_testkit::rounds;
use walk::{between, walk};
use xml::{Element, elements};

fn erased(game: impl Notation) -> ErasedGame {
    ErasedGame::new(Arc::new(game))
}

/// Two boxes, of which the left one lacks its right line: the side that draws it moves again.
///
/// ```text
/// •━━━•   •
/// ┃
/// •━━━•   •
/// ```
fn half_boxed() -> (ErasedGame, ErasedState) {
    let game = erased(DotsAndBoxes::<u64>::new(dots_and_boxes::Shape::parse("1x2").expect("a shape")));
    let mut state = game.start();
    for mv in game.parse_moves(&state, "h0,0 v0,0 h1,0").expect("moves") {
        game.play(&mut state, mv);
    }
    (game, state)
}

/// The second side takes the box and moves again, or draws the lines on the right in either order.
fn shared() -> Exploration {
    let (game, state) = half_boxed();
    let node = |to_move, visits, value, proof, edges| ExploredNode { to_move, visits, value, proof, edges };
    let edge = |text: &str, visits, value, to| {
        let mut mv = None;
        for at in [&state, &after(&game, &state, "h0,1"), &after(&game, &state, "h1,1")] {
            mv = mv.or(game.parse_move(at, text).ok());
        }
        ExploredEdge { mv: mv.expect("a move"), visits, value, prior: None, proof: None, to }
    };
    let mut explored = Explored {
        nodes: vec![
            node(
                Side::Second,
                100,
                -0.75,
                between(-2, -1),
                vec![
                    edge("v0,1", 60, -1.0, Some(1)),
                    edge("h0,1", 25, 0.5, Some(2)),
                    edge("h1,1", 14, 0.25, Some(4)),
                    edge("v0,2", 1, 0.0, None),
                ],
            ),
            node(Side::Second, 60, -1.0, between(-2, -2), vec![]),
            node(Side::First, 25, 0.5, None, vec![edge("h1,1", 20, -0.125, Some(3)), edge("v0,1", 4, 1.0, None)]),
            node(Side::Second, 30, -0.125, None, vec![]),
            node(Side::First, 14, 0.25, None, vec![edge("h0,1", 10, -0.125, Some(3))]),
        ],
    };
    explored.nodes[0].edges[0].proof = between(-2, -1);
    explored.nodes[0].edges[1].prior = Some(0.125);
    in_words(&game, &state, &explored)
}

fn after(game: &ErasedGame, state: &ErasedState, moves: &str) -> ErasedState {
    let mut state = state.clone();
    for mv in game.parse_moves(&state, moves).expect("moves") {
        game.play(&mut state, mv);
    }
    state
}

#[test]
fn values_and_proofs_are_those_of_the_side_to_move() {
    let exploration = shared();
    let (game, state) = half_boxed();
    let [root, again, first, both, _] = &exploration.nodes[..] else { panic!("five nodes") };
    assert_eq!(exploration.sides, [game.side_name(Side::First), game.side_name(Side::Second)]);
    assert_eq!((root.to_move.as_str(), root.value, root.win_percent()), ("second", 0.75, 87.5));
    assert_eq!(root.proof.map(|proof| (proof.lower, proof.upper)), Some((1, 2)));
    // The move goes to the same side again, so the value does not change its sign.
    assert_eq!((again.to_move.as_str(), again.value, root.edges[0].value), ("second", 1.0, 1.0));
    assert_eq!((first.to_move.as_str(), first.value, root.edges[1].value), ("first", 0.5, -0.5));
    assert_eq!(root.edges[3].value.to_bits(), 0, "zero has no sign");
    assert_eq!(root.edges.iter().map(|edge| edge.mv.as_str()).collect::<Vec<_>>(), ["v0,1", "h0,1", "h1,1", "v0,2"]);
    assert_eq!(both.position, game.print_position(&after(&game, &state, "h1,1 h0,1")));
    assert_eq!(exploration.position, root.position);
}

#[test]
fn json_is_read_again() {
    let exploration = shared();
    let json = Form::Json.write(&exploration);
    assert_eq!(json.lines().count(), 1);
    assert_eq!(serde_json::from_str::<Exploration>(&json).expect("an exploration"), exploration);
    assert!(json.starts_with(r#"{"v":1,"game":"dots-and-boxes:1x2","position":"10/10/100 o 0-0","sides":["#), "{json}");
    let edge = r#"{"move":"h0,1","visits":25,"value":-0.5,"prior":0.125,"proof":null,"to":2}"#;
    assert!(json.contains(edge), "{json}");
    let last = r#"{"move":"v0,2","visits":1,"value":0.0,"prior":null,"proof":null,"to":null}"#;
    assert!(json.contains(last), "{json}");
}

#[test]
fn graphviz_gets_every_position_once() {
    let dot = dot(&shared());
    // Five nodes, and the targets of two moves without a node.
    for i in 0..7 {
        assert_eq!(dot.matches(&format!("  n{i} [label=")).count(), 1, "n{i} in {dot}");
    }
    assert!(!dot.contains("n7 "), "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 7, "{dot}");
    let shared_by_two = dot.lines().find(|line| line.contains("30 visits")).expect("a node");
    let name = shared_by_two.trim().split(' ').next().expect("its name");
    assert_eq!(dot.matches(&format!("-> {name} [")).count(), 2, "{dot}");
    assert!(dot.contains(r#"[label="  h0,1\n  25\n  p 12.5 %", color="#), "{dot}");
    assert!(dot.starts_with("digraph search {\n") && dot.ends_with("}\n") && !dot.contains("label=\"\""), "{dot}");
}

#[test]
fn quotes_and_backslashes_stay_inside_their_strings() {
    let mut exploration = shared();
    exploration.sides[1] = r#"a"b\"#.to_owned();
    let dot = dot(&exploration);
    assert!(dot.contains(r#"[label="a\"b\\ 87.5 %\n100 visits"#), "{dot}");
    exploration.sides[1] = "<&\">".to_owned();
    let texts = elements(&svg(&exploration));
    assert!(texts.iter().any(|text| text.text == "<&\"> 87.5 %"), "{texts:?}");
}

#[test]
fn a_drawing_says_what_is_known() {
    let exploration = shared();
    let drawn = elements(&svg(&exploration));
    let texts: Vec<&str> = drawn.iter().filter(|element| element.name == "text").map(|text| &*text.text).collect();
    let [first, second] = &exploration.sides;
    for expected in [
        format!("{second} 87.5 %"),
        format!("{second} wins by 1 to 2"),
        format!("{first} 75.0 %"),
        "100 visits".to_owned(),
        "p 12.5 %".to_owned(),
        "dots-and-boxes:1x2".to_owned(),
    ] {
        assert_eq!(texts.iter().filter(|&&text| text == expected).count(), 1, "{expected} in {texts:?}");
    }
    assert_eq!(drawn.iter().filter(|element| element.is("card")).count(), 7);
    assert_eq!(drawn.iter().filter(|element| element.is("won-second")).count(), 2);
    assert_eq!(drawn.iter().filter(|element| element.is("line")).count(), 7);
}

/// The move that decides a position is shown even with few visits, and so is the number of moves left out.
#[test]
fn room_goes_to_the_most_visited_and_to_what_decides() {
    let game = erased(ConnectFour::<u64>::new(connect_four::Shape::parse("").expect("the usual shape")));
    let walked = walk(&game, 20_000, 1, 300);
    let count = |svg: &str, text: &str| elements(svg).iter().filter(|element| element.text == text).count();
    let mut exploration = in_words(&game, &game.start(), &walked);
    let last = exploration.nodes[0].edges.len() - 1;
    assert_eq!(last, 6);
    exploration.nodes[0].edges[last].visits = 1;
    exploration.nodes[0].edges[last].to = None;
    assert_eq!(count(&svg(&exploration), "1 more move: 1"), 0);
    let crowded = svg(&exploration);
    assert!(elements(&crowded).iter().any(|element| element.text.contains(" more: ")), "{crowded}");
    assert!(!crowded.contains("wins by 4"), "{crowded}");
    let win = Some(banyan_catalog::view::Proof { lower: 4, upper: 4 });
    (exploration.nodes[0].proof, exploration.nodes[0].edges[last].proof) = (win, win);
    assert_eq!(svg(&exploration).matches("wins by 4").count(), 2);
    exploration.nodes[0].edges[last].visits = 0;
    assert_eq!(svg(&exploration).matches("wins by 4").count(), 2);
}

#[test]
fn an_empty_exploration_draws_nothing() {
    let mut exploration = shared();
    exploration.nodes.clear();
    assert!(elements(&svg(&exploration)).iter().all(|element| !element.is("card")));
    assert!(!dot(&exploration).contains("n0"));
    assert!(json_line(&exploration).ends_with(r#""nodes":[]}"#));
}

#[test]
fn the_ending_of_a_name_chooses_the_form() {
    for (name, expected) in
        [("a.dot", Some(Form::Dot)), ("a.b/c.JSON", Some(Form::Json)), ("a.dot.svg", Some(Form::Svg))]
    {
        assert_eq!(Form::of_file(Path::new(name)).ok(), expected, "{name}");
    }
    for name in ["a.png", "svg", ".svg", "-", "a.dot/b"] {
        let err = Form::of_file(Path::new(name)).expect_err(name).to_string();
        assert!(err.starts_with(name) && err.contains(".dot, .json or .svg"), "{err}");
    }
}

/// The rectangle of an element: left, top, right, bottom.
type Area = [f64; 4];

fn area(rect: &Element) -> Area {
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| rect.number(name));
    [x, y, x + width, y + height]
}

fn overlap(a: Area, b: Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Points along a path of the commands M, V and C with capital letters.
fn points(path: &str) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let end = rest[1..].find(['M', 'V', 'C']).map_or(rest.len(), |at| at + 1);
        let numbers: Vec<f64> = rest[1..end].split_whitespace().map(|n| n.parse().expect("a number")).collect();
        let from = points.last().copied();
        match (&rest[..1], &numbers[..], from) {
            ("M", &[x, y], None) => points.push((x, y)),
            ("V", &[y], Some((x, from))) => points.extend((1..=8).map(|i| (x, from + (y - from) * f64::from(i) / 8.0))),
            ("C", &[ax, ay, bx, by, x, y], Some(from)) => points.extend((1..=40).map(|i| {
                let t = f64::from(i) / 40.0;
                let mix = |p: [f64; 4]| {
                    let s = 1.0 - t;
                    s * s * s * p[0] + 3.0 * s * s * t * p[1] + 3.0 * s * t * t * p[2] + t * t * t * p[3]
                };
                (mix([from.0, ax, bx, x]), mix([from.1, ay, by, y]))
            })),
            other => panic!("{other:?}"),
        }
        rest = &rest[end..];
    }
    points
}

/// Nothing lies on anything else, all words are inside what they stand on, and lines touch only what they join.
fn check_drawing(name: &str, exploration: &Exploration) {
    let drawing = svg(exploration);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.svg"));
    std::fs::write(file, &drawing).expect("a picture to look at");
    let elements = elements(&drawing);
    let (width, height) = (elements[0].number("width"), elements[0].number("height"));
    assert!(width <= 1600.0, "{name} is {width} wide");
    let mut areas: Vec<Area> = Vec::new();
    let mut inside: Option<Area> = None;
    for element in &elements {
        if element.is("card") || element.is("label") {
            let area = area(element);
            assert!(area[0] >= 0.0 && area[1] >= 0.0 && area[2] <= width && area[3] <= height, "{name}: {element:?}");
            areas.push(area);
            inside = Some(area);
        } else if element.name == "text" && !element.is("start") {
            let inside = inside.expect("words stand on something");
            let (x, y) = (element.number("x"), element.number("y"));
            // Characters of 12 units are 7 wide on average, in wide fonts too.
            let half = element.text.chars().count() as f64 * 3.5;
            let fits = inside[0] <= x - half && x + half <= inside[2] && inside[1] <= y - 6.0 && y + 6.0 <= inside[3];
            assert!(fits, "{name}: {element:?} in {inside:?}");
        }
    }
    for (i, &a) in areas.iter().enumerate() {
        for &b in &areas[i + 1..] {
            assert!(!overlap(a, b), "{name}: {a:?} and {b:?}");
        }
    }
    let areas_of = |class| elements.iter().filter(|element| element.is(class)).map(area).collect::<Vec<Area>>();
    let (cards, labels) = (areas_of("card"), areas_of("label"));
    for line in elements.iter().filter(|element| element.is("line")) {
        let points = points(line.attribute("d"));
        let (&start, &end) = (points.first().expect("a start"), points.last().expect("an end"));
        // Rounded to tenths, a line may begin a little inside its card.
        let inside = |&(x, y): &(f64, f64), a: Area| a[0] < x && x < a[2] && a[1] + 0.3 < y && y < a[3] - 0.3;
        let touches = |(x, y): (f64, f64), a: Area| a[0] <= x && x <= a[2] && a[1] - 0.3 <= y && y <= a[3] + 0.3;
        let mut ends = 0;
        for &card in &cards {
            assert!(!points.iter().any(|point| inside(point, card)), "{name}: {line:?} runs into {card:?}");
            ends += u32::from(touches(start, card)) + u32::from(touches(end, card));
        }
        assert_eq!(ends, 2, "{name}: {line:?} joins two cards");
        let crossed = labels.iter().filter(|&&label| points.iter().any(|point| inside(point, label))).count();
        assert_eq!(crossed, 1, "{name}: {line:?} passes its own words and no other");
    }
    assert!((1..=40).contains(&cards.len()), "{name} has {} cards", cards.len());
}

fn check_walks(name: &str, game: impl Notation) {
    let game = erased(game);
    for (seed, n_plies) in [(0, 40), (1, 40), (2, 200)] {
        for n_walks in [1, 12, 300, rounds(3000, 20_000)] {
            let explored = walk(&game, n_walks, seed, n_plies);
            let exploration = in_words(&game, &game.start(), &explored);
            check_drawing(&format!("{name}-{n_walks}-{seed}"), &exploration);
        }
    }
}

#[test]
fn nothing_overlaps_in_a_drawing() {
    check_drawing("shared", &shared());
    check_walks("connect-four", ConnectFour::<u64>::new(connect_four::Shape::parse("").expect("a shape")));
    check_walks("connect-four-4x4", ConnectFour::<u64>::new(connect_four::Shape::parse("4x4").expect("a shape")));
    check_walks("reversi", Reversi::<u64>::new(reversi::Shape::parse("").expect("a shape")));
    check_walks("dots-1x2", DotsAndBoxes::<u64>::new(dots_and_boxes::Shape::parse("1x2").expect("a shape")));
    check_walks("dots-3x3", DotsAndBoxes::<u64>::new(dots_and_boxes::Shape::parse("3x3").expect("a shape")));
}
