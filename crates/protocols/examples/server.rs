//! `server PROTOCOL GAME [MS]`: serves Banyan with a few playouts over a protocol, after a busy delay in milliseconds.

use std::hint::spin_loop;
use std::io::{BufReader, stdin, stdout};
use std::time::{Duration, Instant};

use banyan_catalog::Catalog;
use banyan_protocols::botzone::Life;
use banyan_protocols::{Setup, botzone, gtp, nboard, saiblo, sau};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protocol, game, delay @ ..] = arguments.as_slice() else { panic!("two arguments, not {arguments:?}") };
    for ms in delay {
        let until = Instant::now() + Duration::from_millis(ms.parse().expect("milliseconds"));
        while Instant::now() < until {
            spin_loop();
        }
    }
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    let catalog = Catalog::of(families).expect("presets that are players");
    let game = catalog.game(game).expect("a game");
    let budget = "playouts=20".parse().expect("a budget");
    let setup = Setup::new("uct".parse().expect("a player"), budget, 1).expect("a budget that ends");
    let (input, output) = (BufReader::new(stdin()), stdout());
    let ended = match protocol.as_str() {
        "gtp" => gtp::serve(&catalog, game, setup, input, output),
        "nboard" => nboard::serve(&catalog, game, setup, input, output),
        "sau" => sau::serve(game, setup, input, output),
        "saiblo" => saiblo::serve(&catalog, setup, input, output),
        "botzone" => botzone::serve(game, setup, Life::OneShot, input, output),
        "botzone-kept" => botzone::serve(game, setup, Life::KeepRunning, input, output),
        other => panic!("no protocol is called {other}"),
    };
    ended.expect("a conversation without errors");
}
