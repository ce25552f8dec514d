//! Answers requests of stdin natively, for comparisons with the module for browsers: each line `NAME BODY`, each answer a line of JSON.

use std::cell::RefCell;
use std::io::{self, BufRead, Write};

use banyan_core::Flow;
use banyan_wasm::Engine;

fn main() -> io::Result<()> {
    let (engine, mut out) = (Engine::default(), io::stdout());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (name, body) = line.split_once(' ').unwrap_or((&line, ""));
        writeln!(out, "{}", answer(&engine, name, body))?;
        out.flush()?;
    }
    Ok(())
}

/// The answer, the last event of a search, or the refusal.
fn answer(engine: &Engine, name: &str, body: &str) -> String {
    if !["analysis", "move", "solve", "review"].contains(&name) {
        return engine.answer(name, body).unwrap_or_else(|refusal| refusal).replace('\n', " ");
    }
    let job = match engine.begin(name, body) {
        Ok(job) => job,
        Err(refusal) => return refusal,
    };
    let last = RefCell::new(String::new());
    let keep = |_: &str, json: &str| {
        json.clone_into(&mut last.borrow_mut());
        Flow::Continue
    };
    while job.step(f64::INFINITY, &keep) {}
    last.into_inner()
}
