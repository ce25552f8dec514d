//! `banyan-speaker PROTOCOL GAME`: Banyan with a few playouts, in the protocol that is asked for.

use std::io::{BufReader, stdin, stdout};

use banyan_catalog::Catalog;
use banyan_protocols::botzone::Life;
use banyan_protocols::{Setup, botzone, gtp, nboard, saiblo, sau};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protocol, game] = arguments.as_slice() else { panic!("two arguments, not {arguments:?}") };
    let game = Catalog::builtin().game(game).expect("a game");
    let budget = "playouts=20".parse().expect("a budget");
    let setup = Setup::new("uct".parse().expect("a player"), budget, 1).expect("a budget that ends");
    let (input, output) = (BufReader::new(stdin()), stdout());
    let ended = match protocol.as_str() {
        "gtp" => gtp::serve(game, setup, input, output),
        "nboard" => nboard::serve(game, setup, input, output),
        "sau" => sau::serve(game, setup, input, output),
        "saiblo" => saiblo::serve(setup, input, output),
        "botzone" => botzone::serve(game, setup, Life::OneShot, input, output),
        "botzone-kept" => botzone::serve(game, setup, Life::KeepRunning, input, output),
        other => panic!("no protocol is called {other}"),
    };
    ended.expect("a conversation without errors");
}
