//! Requests by their names, and the searches that they begin.

use std::rc::Rc;

use banyan_api::{
    Code, EditRequest, End, Offer, Refusal, ReviewRequest, Reviewing, Search, SearchRequest, SolveRequest, Solving,
    Spot, about, draw, edit, import, state, write,
};
use banyan_catalog::{Catalog, PlayerCaps, Players};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::job::{Job, KeptTree, Work};
use crate::slice_sink::json;

/// One thread: more would need memory that workers share, which pages get from hosts with certain headers only. A tab may hold the
/// trees of an analysis and of an opponent; with one analysis it takes 270 to 411 MiB (bench/results/2026-11-29-intel-xeon/browser.txt).
const CAPS: PlayerCaps = PlayerCaps { threads: 1, memory_mib: 128 };

/// Answers requests, all of them on one thread.
pub struct Engine {
    offer: Offer,
    kept_tree: KeptTree,
}

/// Games, players and levels on offer, with the facts that a server adds.
#[derive(Serialize)]
struct AboutBrowser {
    #[serde(flatten)]
    about: banyan_api::About,
    /// Other programs, which a browser cannot start.
    engines: [(); 0],
    limits: LimitsView,
}

#[derive(Serialize)]
struct LimitsView {
    threads: u32,
    memory_mib: u32,
}

impl Default for Engine {
    fn default() -> Engine {
        let families = [
            banyan_connect_four_engine::family(),
            banyan_reversi_engine::family(),
            banyan_dots_and_boxes_engine::family(),
        ];
        let catalog = Catalog::of(families).expect("the presets of built-in games are players");
        let offer = Offer { catalog, players: Players::presets(), caps: CAPS };
        Engine { offer, kept_tree: KeptTree::default() }
    }
}

impl Engine {
    /// The answer to a request that takes milliseconds, as JSON; that of `export/svg` is the drawing itself.
    ///
    /// # Errors
    /// The refusal, as JSON.
    pub fn answer(&self, name: &str, body: &str) -> Result<String, String> {
        self.try_to_answer(name, body).map_err(|refusal| json(&refusal))
    }

    fn try_to_answer(&self, name: &str, body: &str) -> Result<String, Refusal> {
        let offer = &self.offer;
        Ok(match name {
            "about" => {
                let limits = LimitsView { threads: CAPS.threads, memory_mib: CAPS.memory_mib };
                json(&AboutBrowser { about: about(offer), engines: [], limits })
            }
            "state" => json(&state(offer, &read::<Spot>(body)?)?),
            "edit" => json(&edit(offer, &read::<EditRequest>(body)?)?),
            "import" => json(&import(offer, read(body)?)?),
            "export/svg" => draw(offer, &read(body)?)?,
            "export/text" => json(&write(offer, &read(body)?)?),
            _ => return Err(unknown(name, "about, state, edit, import, export/svg or export/text")),
        })
    }

    /// Takes weights that a request lacked (`no-weights`), from the bytes of the file that its refusal names.
    ///
    /// # Errors
    /// The refusal, as JSON: another file, or a damaged one.
    pub fn load(&self, file: &str, bytes: Vec<u8>) -> Result<(), String> {
        let mut files = self.offer.catalog.families().iter().flat_map(|family| family.tables.weights);
        let known = files.find(|known| known.name == file);
        let known = known.ok_or_else(|| Refusal::not_found(&format!("weights {}", file.escape_debug())));
        let loaded = known.and_then(|known| known.load(bytes).map_err(|err| Refusal::input(err.to_string())));
        loaded.map_err(|refusal| json(&refusal))
    }

    /// Begins a search.
    ///
    /// # Errors
    /// The refusal, as JSON.
    pub fn begin(&self, name: &str, body: &str) -> Result<Job, String> {
        self.try_to_begin(name, body).map_err(|refusal| json(&refusal))
    }

    fn try_to_begin(&self, name: &str, body: &str) -> Result<Job, Refusal> {
        let offer = &self.offer;
        Ok(match name {
            "analysis" => self.search(&read(body)?, End::BudgetOrViewer)?,
            "move" => self.search(&read(body)?, End::Budget)?,
            "solve" => Job::new(Work::Solve(Some(Solving::new(offer, &read::<SolveRequest>(body)?)?))),
            "review" => Job::new(Work::Review(Box::new(Reviewing::new(offer, read::<ReviewRequest>(body)?)?.begin()?))),
            _ => return Err(unknown(name, "analysis, move, solve or review")),
        })
    }

    fn search(&self, request: &SearchRequest, end: End) -> Result<Job, Refusal> {
        let search = Search::new(&self.offer, request, end)?;
        let tree = search.tree();
        // There is room for one tree: that of another name makes place before the new one grows.
        let before = request
            .keep
            .as_ref()
            .and_then(|name| self.kept_tree.borrow_mut().take().filter(|(other, _)| other == name));
        let (kept, running) = search.begin(before.map(|(_, kept)| kept))?;
        let place = request.keep.clone().map(|name| (name, Rc::clone(&self.kept_tree)));
        Ok(Job::new(Work::Search { running: Box::new(running), tree, kept: Some(kept), place }))
    }
}

fn read<T: DeserializeOwned>(body: &str) -> Result<T, Refusal> {
    serde_json::from_str(body).map_err(|err| {
        Refusal::new(
            Code::Invalid,
            &format!("request: {err}"),
            "expected the fields of docs/web-api.md",
            "send it again",
        )
    })
}

fn unknown(name: &str, expected: &str) -> Refusal {
    Refusal::new(Code::NotFound, &format!("request {name}"), &format!("expected {expected}"), "use one of these")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use banyan_catalog::PRESETS;
    use banyan_core::Flow;
    use serde_json::{Value, json};

    use super::*;

    /// The events of a job that is run in slices of `ms` milliseconds.
    fn events(job: &Job, ms: f64) -> Vec<(String, Value)> {
        let events = RefCell::new(Vec::new());
        let send = |event: &str, text: &str| {
            events.borrow_mut().push((event.to_owned(), serde_json::from_str(text).expect("JSON")));
            Flow::Continue
        };
        while job.step(ms, &send) {}
        events.into_inner()
    }

    fn analysis(more: Value) -> String {
        let mut request = json!({"spot": {"game": "connect-four:6x7"}, "player": "uct", "budget": "playouts=20000"});
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        request.to_string()
    }

    #[test]
    fn requests_are_answered_or_refused_as_json() {
        let engine = Engine::default();
        let spot = json!({"game": "reversi:6x6", "moves": []}).to_string();
        for (name, body, expected) in [
            ("about", "", Ok("\"engines\":[]")),
            ("state", &spot, Ok("\"to_move\":0")),
            ("export/svg", &spot, Ok("<svg")),
            ("state", r#"{"game": "go"}"#, Err("\"code\":\"invalid-game\"")),
            ("state", "{", Err("\"code\":\"invalid\"")),
            ("match", "", Err("\"code\":\"not-found\"")),
        ] {
            let found = engine.answer(name, body);
            let (Ok(text) | Err(text)) = &found;
            assert_eq!(found.is_ok(), expected.is_ok(), "{name}: {text}");
            let (Ok(part) | Err(part)) = expected;
            assert!(text.contains(part), "{name}: {text}");
        }
        assert!(engine.begin("analysis", &analysis(json!({"player": "nobody"}))).is_err());
        assert!(engine.begin("nothing", "").is_err());
    }

    /// The result of an analysis in slices of `ms` milliseconds without what depends on the machine, and the number of slices; `None` if
    /// the player does not play the game or has no tree.
    fn result(engine: &Engine, request: &Value, ms: f64) -> Option<(Value, usize)> {
        let job = engine.begin("analysis", &request.to_string()).ok().filter(Job::pauses)?;
        let done = RefCell::new(Value::Null);
        let send = |event: &str, text: &str| {
            assert_ne!(event, "error", "{text}");
            *done.borrow_mut() = serde_json::from_str(text).expect("JSON");
            Flow::Continue
        };
        let n_slices = std::iter::from_fn(|| job.step(ms, &send).then_some(())).count() + 1;
        let mut done = done.into_inner();
        let fields = done.as_object_mut().expect("an object");
        ["elapsed_ms", "cpu_ms", "rate"].iter().for_each(|own| drop(fields.remove(*own)));
        Some((done, n_slices))
    }

    #[test]
    fn weights_are_loaded_from_their_files() {
        let engine = Engine::default();
        let damaged = engine.load("reversi-priors.weights", vec![0; 775_024]).expect_err("zeros");
        assert!(damaged.contains("reversi-priors.weights: damaged"), "{damaged}");
        assert!(engine.load("go.weights", vec![]).expect_err("no such file").contains("\"code\":\"not-found\""));
    }

    #[test]
    fn a_search_in_slices_is_that_in_one_piece() {
        let games =
            ["connect-four:6x7", "connect-four:9x10,hole=d3", "reversi:6x6", "reversi:8x8", "dots-and-boxes:3x3"];
        let (mut n_searches, mut most_slices) = (0, 0);
        for game in games {
            for preset in PRESETS {
                for budget in ["playouts=200", "nodes=100"] {
                    let (whole, sliced) = (Engine::default(), Engine::default());
                    // The second search begins with the tree of the first.
                    for moves in [json!([]), json!(["d3"])] {
                        let spot = json!({"game": game, "moves": moves});
                        // Of the best move only, without the proofs of the others.
                        let request =
                            json!({"spot": spot, "player": preset.name, "budget": budget, "lines": 1, "keep": "me"});
                        let Some((expected, _)) = result(&whole, &request, 1e9) else { continue };
                        let (found, n_slices) = result(&sliced, &request, 0.0).expect("the same");
                        assert_eq!(found, expected, "{request}");
                        (n_searches, most_slices) = (n_searches + 1, most_slices.max(n_slices));
                    }
                }
            }
        }
        assert!(n_searches >= 60 && most_slices >= 10, "{n_searches} searches, at most {most_slices} slices");
    }

    #[test]
    fn a_stopped_search_ends_and_its_tree_is_kept_by_its_name() {
        let engine = Engine::default();
        let request = analysis(json!({"keep": "me", "budget": "infinite"}));
        let job = engine.begin("analysis", &request).expect("a request");
        assert!(job.step(20.0, &|_, _| Flow::Continue), "it is endless");
        assert!(job.tree(None).expect("a tree").contains("\"nodes\""));
        job.stop();
        assert_eq!(events(&job, 20.0).last().expect("an event").0, "done");
        assert!(job.tree(Some(5)).is_ok(), "also afterwards");
        drop(job);
        let again = engine.begin("analysis", &analysis(json!({"keep": "me"}))).expect("a request");
        let found = events(&again, 1e9);
        assert!(found.last().expect("an event").1["reused"].as_f64().is_some_and(|part| part > 0.0), "{found:?}");
    }

    #[test]
    fn proofs_and_reviews_end_with_their_results() {
        let engine = Engine::default();
        let spot = json!({"game": "dots-and-boxes:2x2", "moves": []});
        let solve = engine.begin("solve", &json!({"spot": spot}).to_string()).expect("a request");
        assert!(!solve.pauses());
        assert_eq!(events(&solve, 1.0).last().expect("an event").0, "done");
        let played = json!({"game": "connect-four:6x7", "moves": ["d", "d", "e"]});
        let body = json!({"spot": played, "player": "uct", "budget": "playouts=300"}).to_string();
        let review = engine.begin("review", &body).expect("a request");
        assert!(review.tree(None).is_err());
        assert_eq!(events(&review, 1.0).last().expect("an event").0, "done");
    }
}
