//! What games say is strong is understood by the search, and gives way to what is said on purpose.

use banyan::games::connect_four::ConnectFour;
use banyan::games::dots_and_boxes::DotsAndBoxes;
use banyan::games::reversi::Reversi;
use banyan::search::{ExpansionWidth, Scheme};
use banyan::{Config, Game};

/// The usual settings with `given` on top, as they suit games of type `G`.
fn suited<G: Game>(given: &[(&str, &str)]) -> Config {
    let mut config = Config::default();
    given.iter().for_each(|(name, value)| config.set(name, value).expect("a setting"));
    config.suited_to::<G>(&given.iter().map(|&(name, _)| name).collect::<Vec<_>>())
}

#[test]
fn all_that_games_advise_can_be_set_and_goes_together() {
    fn check<G: Game>() {
        for settings in G::strong_settings() {
            let mut config = Config::default();
            settings.iter().for_each(|(name, value)| config.set(name, value).expect("a setting"));
            config.check().expect("settings that go together");
            assert_ne!(config, Config::default(), "{settings:?} say nothing");
        }
    }
    check::<ConnectFour<u64>>();
    check::<Reversi<u64>>();
    check::<DotsAndBoxes<u64>>();
}

#[test]
fn what_is_said_on_purpose_comes_first() {
    type Game = ConnectFour<[u64; 3]>;
    let strong = suited::<Game>(&[]);
    assert_eq!(strong.expand, ExpansionWidth::Scout);
    assert_eq!(suited::<Game>(&[("memory", "64")]), Config { memory_mib: 64, ..strong.clone() });
    assert_eq!(suited::<Game>(&[("c", "1.5")]), Config { c: 1.5, ..strong.clone() });
    // Scouts need PUCT.
    let without = suited::<Game>(&[("select", "ucb1")]);
    assert_eq!((without.expand, without.evaluation), (ExpansionWidth::One, strong.evaluation));
    // What is added to the first playouts of all children needs them, and nothing else does.
    let one = suited::<Game>(&[("expand", "one")]);
    assert_eq!(one, Config { expand: ExpansionWidth::One, appraisal: 0.0, ..strong.clone() });
    assert!(strong.appraisal > 0.0);
    let together = suited::<Game>(&[("threads", "2")]);
    assert_eq!(together, Config { threads: 2, scheme: Scheme::Root, ..strong });
    let shared = suited::<Game>(&[("threads", "2"), ("scheme", "shared")]);
    assert_eq!((shared.expand, shared.scheme), (ExpansionWidth::One, Scheme::Shared));
    assert_ne!(shared.evaluation, Config::default().evaluation);
}
