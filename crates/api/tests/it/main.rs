//! Requests without a server.

use std::cell::{Cell, RefCell};

use banyan_api::{
    Code, End, Offer, ReviewRequest, Reviewing, Search, SearchRequest, SearchTree, Sink, SolveRequest, Solving, Spot,
    Step, about, state,
};
use banyan_catalog::{Catalog, PlayerCaps, Players};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn offer() -> Offer {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    let catalog = Catalog::of(families).expect("presets that are players");
    Offer { catalog, players: Players::presets(), caps: PlayerCaps { threads: 1, memory_mib: 64 } }
}

/// Collects events, and pauses or stops the work.
#[derive(Default)]
struct Events {
    sent: RefCell<Vec<Value>>,
    /// The number of events after which it pauses.
    pauses_at: Cell<Option<usize>>,
    is_stopped: bool,
}

impl<E: Serialize> Sink<E> for Events {
    fn is_due(&self) -> bool {
        true
    }

    fn send(&self, event: E) {
        self.sent.borrow_mut().push(as_json(&event));
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    fn is_paused(&self) -> bool {
        self.pauses_at.get().is_some_and(|n| self.sent.borrow().len() >= n)
    }
}

impl Events {
    fn pausing() -> Events {
        Events { pauses_at: Cell::new(Some(1)), ..Events::default() }
    }

    /// Pauses next after another event.
    fn go_on(&self) {
        self.pauses_at.set(Some(self.sent.borrow().len() + 1));
    }
}

fn request<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("a request")
}

fn as_json(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("an answer")
}

#[test]
fn a_search_that_is_paused_goes_on_with_its_tree() {
    let offer = offer();
    let search: SearchRequest = request(
        json!({"spot": {"game": "connect-four", "moves": ["4"]}, "player": "uct", "budget": "playouts=300000"}),
    );
    let search = Search::new(&offer, &search, End::BudgetOrViewer).expect("a search");
    let tree = search.tree();
    let (mut kept, mut running) = search.begin(None).expect("a player");
    assert_eq!(tree.check(), Ok(()));
    assert!(tree.top(&kept, None).is_none(), "it has not begun");
    let sink = Events::pausing();
    let (mut n_pauses, mut most_nodes) = (0, 0);
    let done = loop {
        match running.step(&mut kept, &sink).expect("a move") {
            Step::Done(done) => break as_json(&done),
            Step::Paused => {
                n_pauses += 1;
                let top = as_json(&tree.top(&kept, Some(5)).expect("a tree"));
                // On a busy machine the first pauses may come after a few playouts.
                most_nodes = most_nodes.max(top["nodes"].as_array().expect("nodes").len());
                sink.go_on();
            }
        }
    };
    assert!(n_pauses > 0 && most_nodes == 5, "{n_pauses} {most_nodes}");
    assert_eq!(done["playouts"], 300000, "{done}");
    let playouts: Vec<u64> = sink.sent.borrow().iter().filter_map(|sent| sent["playouts"].as_u64()).collect();
    assert!(playouts.is_sorted(), "{playouts:?}");
}

#[test]
fn a_kept_tree_serves_the_next_position_of_its_game() {
    let offer = offer();
    let mut kept = None;
    let mut reused = |game: &str, moves: &[&str]| {
        let spot = json!({"game": game, "moves": moves});
        let search: SearchRequest = request(json!({"spot": spot, "player": "uct", "budget": "playouts=2000"}));
        let search = Search::new(&offer, &search, End::Budget).expect("a search");
        let (mut begun, mut running) = search.begin(kept.take()).expect("a player");
        let Step::Done(done) = running.step(&mut begun, &Events::default()).expect("a move") else { panic!("a pause") };
        kept = Some(begun);
        as_json(&done)["reused"].as_f64().expect("a share")
    };
    assert_eq!(reused("connect-four", &[]), 0.0);
    assert!(reused("connect-four", &["4"]) > 0.0);
    assert!(reused("connect-four", &["4", "3"]) > 0.0);
    assert_eq!(reused("reversi", &[]), 0.0);
}

#[test]
fn a_tree_is_that_of_the_last_search() {
    let offer = offer();
    let of = |moves: &[&str], player: &str| {
        let spot = json!({"game": "connect-four:5x4", "moves": moves});
        let search: SearchRequest = request(json!({"spot": spot, "player": player, "budget": "100ms"}));
        Search::new(&offer, &search, End::Budget).expect("a search")
    };
    let first = of(&[], "uct:threads=1").tree();
    let (kept, _) = of(&["1"], "uct:threads=1").begin(None).expect("a player");
    assert!(first.top(&kept, None).is_none());
    assert_eq!(SearchTree::missing().code, Code::NotFound);
    let refused = of(&[], "pvs").tree().check().expect_err("alpha-beta has no tree");
    assert_eq!(refused.code, Code::Invalid);
    assert!(of(&[], "level-1").is_quick() && of(&[], "random").is_quick());
    assert!(!of(&[], "uct").is_quick());
}

#[test]
fn a_review_is_paused_between_positions() {
    let offer = offer();
    let spot = json!({"game": "connect-four:4x4", "moves": ["1", "2", "1", "2", "1", "2", "1"]});
    let review: ReviewRequest = request(json!({"spot": spot, "budget": "nodes=1000", "player": "pvs"}));
    let mut running = Reviewing::new(&offer, review).and_then(Reviewing::begin).expect("a review");
    let sink = Events::pausing();
    let mut n_pauses = 0;
    let review = loop {
        match running.step(&sink).expect("values") {
            Step::Paused => {
                n_pauses += 1;
                sink.go_on();
            }
            Step::Done(review) => break as_json(&review),
        }
    };
    assert_eq!((n_pauses, review["complete"].as_bool()), (7, Some(true)), "{review}");
    let done: Vec<u64> = sink.sent.borrow().iter().filter_map(|sent| sent["done"].as_u64()).collect();
    assert_eq!(done, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn work_that_is_stopped_ends_with_what_it_has() {
    let offer = offer();
    let solve: SolveRequest = request(json!({"spot": {"game": "reversi"}, "budget": "60s"}));
    let sink = Events { is_stopped: true, ..Events::default() };
    let solved = as_json(&Solving::new(&offer, &solve).expect("a request").run(&sink));
    assert_eq!(solved["margin"], Value::Null, "{solved}");
    assert!(solved["elapsed_ms"].as_f64().is_some_and(|elapsed| elapsed < 10_000.0), "{solved}");
}

#[test]
fn every_game_on_offer_has_a_state() {
    let offer = offer();
    let offered = as_json(&about(&offer));
    let games = offered["games"].as_array().expect("games");
    assert_eq!(games.len(), 3);
    for game in games {
        let name = game["name"].as_str().expect("a name");
        let moves = game["sample"].as_array().expect("moves").iter().filter_map(Value::as_str).map(str::to_owned);
        let spot = Spot { game: name.to_owned(), position: None, moves: moves.collect() };
        let shown = as_json(&state(&offer, &spot).expect("a position"));
        assert_eq!(shown["game"], game["spec"]);
        assert!(shown["legal"].as_array().is_some_and(|legal| !legal.is_empty()), "{name}");
    }
    let spot = Spot { game: "connect-four".to_owned(), position: None, moves: vec!["9".to_owned()] };
    let refused = as_json(&state(&offer, &spot).expect_err("an illegal move"));
    assert_eq!((&refused["code"], &refused["field"]), (&json!("invalid-moves"), &json!("moves")));
}
