//! Boards of the built-in games drawn from ranges of sizes.

use std::collections::BTreeSet;

use banyan_catalog::BoardRange;

use crate::catalog;

fn range(spec: &str) -> BoardRange {
    BoardRange::parse(spec).unwrap_or_else(|err| panic!("{spec}: {err}")).expect("a range")
}

#[test]
fn every_size_and_many_holes_are_drawn_and_the_same_ones_again() {
    let (catalog, range) = (catalog(), range("connect-four:9-12x9-12,holes=1"));
    let draw = |seed| range.draw(&catalog, seed).expect("a board").spec();
    let specs: Vec<String> = (0..400).map(draw).collect();
    assert!(specs.iter().all(|spec| spec.matches("hole=").count() == 1), "{specs:?}");
    let sizes: BTreeSet<&str> = specs.iter().map(|spec| spec.split(',').next().expect("a size")).collect();
    assert_eq!(sizes.len(), 16, "{sizes:?}");
    assert!(specs.iter().collect::<BTreeSet<_>>().len() > 300);
    assert_eq!(specs, (0..400).map(draw).collect::<Vec<_>>());
}

#[test]
fn sizes_a_game_does_not_have_are_left_out() {
    let catalog = catalog();
    let reversi = range("reversi:5-8x5-8,count=discs");
    for seed in 0..50 {
        let spec = reversi.draw(&catalog, seed).expect("a board").spec();
        assert!(spec.contains("count=discs") && !spec.contains('5') && !spec.contains('7'), "{spec}");
    }
}

#[test]
fn what_cannot_be_drawn_is_named() {
    let catalog = catalog();
    for spec in ["reversi:9-9x9", "connect-four:20-30x5", "chess:8-9x8", "connect-four:4x4,holes=16"] {
        let err = range(spec).draw(&catalog, 1).map(|game| game.spec()).expect_err(spec).to_string();
        assert!(err.contains("expected at least one valid board in the range") && !err.contains('\n'), "{err}");
    }
}
