//! The classes that JavaScript sees.

use std::cell::RefCell;
use std::panic;

use banyan_core::Flow;
use js_sys::Function;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::{engine, job};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn log_error(text: &str);
}

/// The engine: answers by name, with JSON in and out.
#[wasm_bindgen]
pub struct Engine(engine::Engine);

#[wasm_bindgen]
impl Engine {
    /// An engine with the built-in games. A fault of it is written to the console; after that the module cannot be used any more.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        panic::set_hook(Box::new(|fault| log_error(&fault.to_string())));
        Engine(engine::Engine::default())
    }

    /// The answer to `about`, `state`, `edit`, `import`, `export/svg` or `export/text`; throws a refusal as JSON.
    pub fn answer(&self, name: &str, body: &str) -> Result<String, String> {
        self.0.answer(name, body)
    }

    /// Takes the weights of a game from the bytes of their file. A request that lacks them is refused with the code `no-weights`, and
    /// `field` is the name of the file, which lies beside the module. Throws a refusal of a damaged file as JSON.
    pub fn load(&self, file: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.0.load(file, bytes)
    }

    /// Begins `analysis`, `move`, `solve` or `review`; throws a refusal as JSON.
    pub fn begin(&self, name: &str, body: &str) -> Result<Job, String> {
        self.0.begin(name, body).map(Job)
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// A search that runs in slices.
#[wasm_bindgen]
pub struct Job(job::Job);

#[wasm_bindgen]
impl Job {
    /// Works for about `ms` milliseconds and passes events to `send`, by name and as JSON: `progress`, in the end `done` or `error`. Returns
    /// whether there is more to do. Throws what `send` throws, which also ends the search.
    pub fn step(
        &self,
        ms: f64,
        #[wasm_bindgen(unchecked_param_type = "(event: string, json: string) => void")] send: &Function,
    ) -> Result<bool, JsValue> {
        let thrown = RefCell::new(None);
        let more = self.0.step(ms, &|event, json| match send.call2(&JsValue::NULL, &event.into(), &json.into()) {
            Ok(_) => Flow::Continue,
            Err(error) => {
                thrown.borrow_mut().get_or_insert(error);
                Flow::Stop
            }
        });
        thrown.into_inner().map_or(Ok(more), Err)
    }

    /// Whether a slice ends after its time; otherwise the first one lasts until the result.
    pub fn pauses(&self) -> bool {
        self.0.pauses()
    }

    /// Ends it with what it has found, in the slice that runs or in the next one.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The top of the tree of an analysis, between slices and afterwards; `undefined` if it keeps none.
    pub fn tree(&self, nodes: Option<usize>) -> Option<String> {
        self.0.tree(nodes).ok()
    }
}
