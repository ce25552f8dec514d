//! Arguments, typed lines and recorded commands: no input makes a parser panic, and printed values are parsed again.

use banyan_catalog::Players;
use banyan_core::TextError;
use banyan_testkit::rounds;
use proptest::prelude::*;

use crate::commands::calc;
use crate::commands::matches::match_args::Bounds;
use crate::commands::openings;
use crate::commands::play::participant::Participant;
use crate::commands::play::request::Request;
use crate::input::game_terms::Margin;
use crate::input::replay::GameId;
use crate::output::message;

/// An error is one line.
fn check<T>(read: Result<T, TextError>) -> Option<T> {
    read.map_err(|err| assert!(!err.to_string().contains('\n'), "{err}")).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(400, 2000)))]

    #[test]
    fn any_participant(text in "(human|uct|mcgs|vote:uct\\+pvs|[a-z]{0,5})(:[a-z-]{0,6}=?[0-9.]{0,4})?(@([0-9]{0,4}m?\
        s|playouts=[0-9]{0,5}|[a-z+]{0,4}))?|\\PC{0,20}") {
        let players = Players::presets();
        if let Some(participant) = check(Participant::parse(&text, &players)) {
            let printed = participant.to_string();
            prop_assert_eq!(check(Participant::parse(&printed, &players)), Some(participant));
        }
    }

    #[test]
    fn any_typed_line(text in "(save|load|quit|hint|undo|moves|help|\\?|４)?[ \t!a-z0-9é.]{0,8}|\\PC{0,20}") {
        check(Request::parse(&text));
    }

    #[test]
    fn any_bounds_and_counts(text in "-?[0-9]{0,3}(\\.[0-9]|e[0-9]{1,3})?(,[ -]?[0-9]{0,20}){0,5}|\\PC{0,12}") {
        check(text.parse::<Bounds>());
        check(calc::pentanomial(&text));
    }

    #[test]
    fn counts_are_read(counts in any::<[u64; 5]>()) {
        let text = counts.map(|n| n.to_string()).join(",");
        prop_assert_eq!(check(calc::pentanomial(&text)).map(|read| read.counts), Some(counts));
    }

    #[test]
    fn any_margin_or_game(text in "[0-9]{0,21}(m?s|m|\\.[0-9]{0,3}s?)?|\\PC{0,8}") {
        check(text.parse::<Margin>());
        check(text.parse::<GameId>());
    }

    #[test]
    fn any_recorded_command(words in "(connect-four|reversi:4x4)?( --(count|plies|seed|threshold|judge|judge-budget|\
        help|out) ?(-?[0-9.]{0,5}|uct|playouts|playouts=9|\\PC{0,5})){0,5}|\\PC{0,30}") {
        check(openings::recorded(&format!("# mine\n# banyan openings make {words}\n4 4\n")));
        check(openings::recorded(&words));
    }

    #[test]
    fn any_text_of_a_message(text in "\\PC{0,60}|[\u{0}-\u{ff}\u{200e}\u{202e}\u{1f980}]{0,400}|(abc ){0,300}") {
        for shown in [message::one_line(&text), message::escaped(&text)] {
            prop_assert!(!shown.contains(['\n', '\r', '\u{1b}', '\u{202e}']), "{:?}", shown);
        }
    }
}
