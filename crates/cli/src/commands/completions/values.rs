//! The candidates for the word at the cursor: options, and the values that the catalog knows.

use banyan_catalog::{BoardSizes, Catalog, Family, HANDICAPS, LEVELS, PRESETS, PlayerView, SettingView, players};
use clap::{Arg, Command};

use super::walk::{Cursor, Place};

/// A word that may stand at the cursor, and its meaning in one line; empty if the word needs none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) value: String,
    pub(super) help: String,
}

impl Candidate {
    fn new(value: impl Into<String>, help: impl AsRef<str>) -> Candidate {
        let help = help.as_ref().lines().next().unwrap_or_default().to_owned();
        Candidate { value: value.into(), help }
    }
}

/// Candidates for a shell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// The names of files.
    Files,
    /// These words; none if nothing is known.
    Words(Vec<Candidate>),
}

/// Names of games, players, engines and openings.
pub(super) struct Known<'a> {
    catalog: &'a Catalog,
    players: Vec<PlayerView>,
    /// Names of external engines.
    engines: Vec<String>,
}

impl<'a> Known<'a> {
    pub(super) fn new(catalog: &'a Catalog, engines: Vec<String>) -> Known<'a> {
        Known { catalog, players: players(catalog), engines }
    }
}

/// Words that may stand at the cursor and begin as typed.
pub(super) fn offer(cursor: &Cursor<'_>, known: &Known<'_>) -> Offer {
    let words = match cursor.place {
        Place::Option => options(cursor.command),
        Place::Value(arg) => match values(arg, cursor, known) {
            Offer::Files => return Offer::Files,
            Offer::Words(words) => words,
        },
        Place::Word(arg) => {
            let mut words = if cursor.positionals.is_empty() { subcommands(cursor.command) } else { Vec::new() };
            match arg.map(|arg| values(arg, cursor, known)) {
                Some(Offer::Files) if words.is_empty() => return Offer::Files,
                Some(Offer::Words(values)) => words.extend(values),
                _ => {}
            }
            words
        }
    };
    let typed = cursor.typed.to_ascii_lowercase();
    let begun = words.into_iter().filter(|word| word.value.to_ascii_lowercase().starts_with(&typed));
    let joined = |word: Candidate| Candidate { value: format!("{}{}", cursor.before, word.value), ..word };
    Offer::Words(begun.map(joined).collect())
}

fn options(command: &Command) -> Vec<Candidate> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let named = shown.filter_map(|arg| Some((arg.get_long()?, arg.get_help())));
    named.map(|(name, help)| Candidate::new(format!("--{name}"), in_words(help))).collect()
}

fn subcommands(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    shown.map(|sub| Candidate::new(sub.get_name(), in_words(sub.get_about()))).collect()
}

fn in_words(text: Option<&clap::builder::StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}

/// The values of an argument, by its possible values or else by its name and the name of its value.
fn values(arg: &Arg, cursor: &Cursor<'_>, known: &Known<'_>) -> Offer {
    let possible = arg.get_possible_values();
    if !possible.is_empty() {
        let shown = possible.iter().filter(|value| !value.is_hide_set());
        return Offer::Words(shown.map(|value| Candidate::new(value.get_name(), in_words(value.get_help()))).collect());
    }
    let kind = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match (arg.get_id().as_str(), kind) {
        (_, "GAME") => Offer::Words(games(known.catalog, cursor.typed)),
        ("first" | "second", _) => {
            let mut words = player_values(cursor, known);
            if let Offer::Words(words) = &mut words {
                words.insert(0, Candidate::new("human", "a person at the terminal"));
            }
            words
        }
        ("game_or_player", _) => {
            let mut words = games(known.catalog, cursor.typed);
            words.extend(names_of_players(cursor, known));
            Offer::Words(words)
        }
        (_, "PLAYER") => player_values(cursor, known),
        ("level" | "levels", _) => {
            let levels = LEVELS.iter().filter_map(|name| name.strip_prefix("level-"));
            Offer::Words(levels.map(|number| Candidate::new(number, "")).collect())
        }
        ("opening", "NAME") => Offer::Words(openings(cursor, known)),
        ("name", "NAME") => Offer::Words(known.engines.iter().map(|name| Candidate::new(name, "engine")).collect()),
        ("vary", _) => Offer::Words(settings_of_positional(cursor, known)),
        (_, "FILE" | "DIR" | "PATH" | "LIB" | "FILE[:N]") => Offer::Files,
        _ => Offer::Words(Vec::new()),
    }
}

/// Games by name, and after a colon their boards with as many rows as columns.
fn games(catalog: &Catalog, typed: &str) -> Vec<Candidate> {
    let Some((name, _)) = typed.split_once(':') else {
        return catalog.families().iter().map(|family| Candidate::new(family.name, family.summary)).collect();
    };
    let sizes = catalog.family(name).and_then(|family| family.tables.sizes);
    let boards = |sizes: BoardSizes| {
        let sides = (sizes.rows[0]..=sizes.rows[1]).step_by(sizes.step as usize);
        sides.filter(move |side| (sizes.columns[0]..=sizes.columns[1]).contains(side))
    };
    let board = |side: u32| Candidate::new(format!("{name}:{side}x{side}"), "");
    sizes.map(boards).into_iter().flatten().map(board).collect()
}

/// Players; files for a library by its path.
fn player_values(cursor: &Cursor<'_>, known: &Known<'_>) -> Offer {
    if cursor.typed.starts_with(['.', '/', '~']) {
        return Offer::Files;
    }
    // The member of a vote that is typed, and what comes before it.
    let begin = match cursor.typed.get(..5) {
        Some(vote) if vote.eq_ignore_ascii_case("vote:") => cursor.typed.rfind('+').map_or(5, |plus| plus + 1),
        _ => 0,
    };
    let (before, member) = cursor.typed.split_at(begin);
    let joined = |word: Candidate| Candidate { value: format!("{before}{}", word.value), ..word };
    let words = match member.split_once(':') {
        None => names_of_players(cursor, known),
        Some((name, settings)) => match settings_of(name, settings, cursor, known) {
            Offer::Files => return Offer::Files,
            Offer::Words(words) => words,
        },
    };
    Offer::Words(words.into_iter().map(joined).collect())
}

/// The game that the command line names.
fn family<'a>(cursor: &Cursor<'_>, known: &'a Known<'_>) -> Option<&'a Family> {
    let spec = cursor.positionals.iter().map(|word| word.split(':').next().unwrap_or_default());
    spec.filter_map(|name| known.catalog.family(name)).next()
}

/// Names of players, with published systems only in their game.
fn names_of_players(cursor: &Cursor<'_>, known: &Known<'_>) -> Vec<Candidate> {
    let family = family(cursor, known);
    let exists = |player: &&PlayerView| {
        let preset = PRESETS.iter().find(|preset| preset.name == player.player);
        let needs_its_game = preset.is_some_and(|preset| preset.needs_its_game);
        let Some(family) = family else { return true };
        match player.levels.is_empty() {
            true => !needs_its_game || family.tables.presets.iter().any(|own| own.name == player.player),
            false => player.levels.iter().any(|level| level.game == family.name),
        }
    };
    let help = |player: &PlayerView| {
        let level = player.levels.iter().find(|level| family.is_some_and(|family| family.name == level.game));
        level.map_or(player.summary.to_owned(), |level| format!("{:+} Elo above random", level.elo))
    };
    let built_in = known.players.iter().filter(exists).map(|player| Candidate::new(player.player, help(player)));
    built_in.chain(known.engines.iter().map(|name| Candidate::new(name, "engine of engines.toml"))).collect()
}

/// The settings of a player after those already given, or the values of the last one.
fn settings_of(name: &str, typed: &str, cursor: &Cursor<'_>, known: &Known<'_>) -> Offer {
    let rows = rows_of(name, cursor, known);
    let (given, last) = typed.rsplit_once(',').map_or(("", typed), |(given, last)| (given, last));
    let before = if given.is_empty() { format!("{name}:") } else { format!("{name}:{given},") };
    if let Some((setting, _)) = last.split_once('=') {
        let is_file = setting == "book" || setting == "eval" && last.contains(['/', '.']);
        let words = rows.iter().filter(|row| row.name == setting).flat_map(values_of);
        let words: Vec<Candidate> =
            words.map(|value| Candidate::new(format!("{before}{setting}={value}"), "")).collect();
        return if is_file && words.is_empty() { Offer::Files } else { Offer::Words(words) };
    }
    let is_given = |name: &str| given.split(',').any(|setting| setting.split('=').next() == Some(name));
    let own = rows.iter().map(|row| (row.name, row.help));
    let others = HANDICAPS.iter().map(|(name, _, help)| (*name, *help));
    let all = own.chain(others).chain([("book", "opening book to move from (see `banyan book`)")]);
    let free = all.filter(|(name, _)| !is_given(name));
    Offer::Words(free.map(|(name, help)| Candidate::new(format!("{before}{name}="), help)).collect())
}

/// The settings of a player; of `best` those of the player that it is in the game.
fn rows_of<'a>(name: &str, cursor: &Cursor<'_>, known: &'a Known<'_>) -> &'a [SettingView] {
    let best = || family(cursor, known).map_or("mcgs", |family| family.tables.best);
    let name = if name.eq_ignore_ascii_case("best") { best() } else { name };
    let name = name.split(':').next().unwrap_or_default();
    let player = known.players.iter().find(|player| player.player.eq_ignore_ascii_case(name));
    player.map_or(&[], |player| &player.settings)
}

/// Words that a setting may have, or else its default.
fn values_of(row: &SettingView) -> Vec<String> {
    let mut values: Vec<String> = row.words.iter().map(|&word| word.to_owned()).collect();
    if row.off {
        values.push("off".to_owned());
    }
    if !values.contains(&row.default) {
        values.push(row.default.clone());
    }
    values
}

/// The settings of the player that `sweep` and `tune` vary.
fn settings_of_positional(cursor: &Cursor<'_>, known: &Known<'_>) -> Vec<Candidate> {
    let player = cursor.positionals.get(1).map_or("", |player| player.split(':').next().unwrap_or_default());
    let numbers = rows_of(player, cursor, known).iter().filter(|row| row.min.is_some());
    numbers.map(|row| Candidate::new(format!("{}=", row.name), row.help)).collect()
}

/// Names of openings without blanks; a shell would have to quote the others.
fn openings(cursor: &Cursor<'_>, known: &Known<'_>) -> Vec<Candidate> {
    let openings = family(cursor, known).map_or(&[][..], |family| family.tables.openings);
    let names = openings.iter().flat_map(|opening| opening.names.iter().map(move |name| (name, opening.moves)));
    let plain = names.filter(|(name, _)| !name.contains([' ', '\'', '(']));
    plain.map(|(name, moves)| Candidate::new(*name, moves)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn offered(line: &str) -> Offer {
        let catalog = builtin();
        let mut command = crate::command::with_games(&catalog);
        command.build();
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        offer(&Cursor::at(&command, &words), &Known::new(&catalog, vec!["mine".to_owned()]))
    }

    fn candidates(line: &str) -> Vec<String> {
        match offered(line) {
            Offer::Files => panic!("{line}: files"),
            Offer::Words(words) => words.into_iter().map(|word| word.value).collect(),
        }
    }

    #[test]
    fn the_word_at_the_cursor_is_completed() {
        for (line, expected) in [
            ("ana", &["analysis", "analyse"][..]),
            ("analyse re", &["reversi"]),
            ("analyse RE", &["reversi"]),
            ("analyse reversi --pl", &["--ply", "--player"]),
            ("analyse reversi --player pv", &["pvs"]),
            ("analyse reversi --player=level-1", &["--player=level-1", "--player=level-10"]),
            ("analyse reversi --player uct-", &["uct-reversi-report", "uct-reversi-report-as-coded"]),
            ("analyse reversi --player mi", &["mine"]),
            ("analyse reversi --player pvs:de", &["pvs:depth=", "pvs:depth-schedule="]),
            ("analyse reversi --player PVS:depth=4,ev", &["PVS:depth=4,eval=", "PVS:depth=4,eval-noise="]),
            ("analyse reversi --player pvs:eval=m", &["pvs:eval=margin"]),
            ("analyse reversi --player best:tabl", &["best:table-mib="]),
            ("analyse reversi --player pvs:second-best=0.1,se", &[]),
            ("match reversi uct vote:uct+gr", &["vote:uct+greedy", "vote:uct+graph"]),
            ("match reversi uct pvs ne", &["negamax"]),
            ("play reversi --first hu", &["human"]),
            ("play reversi --level 1", &["1", "10"]),
            ("match reversi --level 2", &["2"]),
            ("ladder --level 2", &["2"]),
            ("show reversi --opening ti", &["Tiger"]),
            ("show connect-four --opening ", &[]),
            ("show reversi:4", &["reversi:4x4"]),
            ("show Reversi:1", &["Reversi:10x10"]),
            ("show reversi:5", &[]),
            ("--color al", &["always"]),
            ("--color always sho", &["show"]),
            ("players re", &["reversi"]),
            ("players pv", &["pvs"]),
            ("sweep reversi pvs --vary dep", &["depth="]),
            ("completions ba", &["bash"]),
            ("book ma", &["make"]),
            ("openings names reve", &["reversi"]),
            ("engines check mi", &["mine"]),
            ("analyse reversi --seed ", &[]),
            ("nonsense reversi --player pv", &[]),
            ("analyse reversi -- --pl", &[]),
        ] {
            assert_eq!(candidates(line), expected, "{line}");
        }
        assert!(candidates("").contains(&"play".to_owned()) && !candidates("").contains(&"complete".to_owned()));
    }

    #[test]
    fn files_are_left_to_the_shell() {
        for line in [
            "show --record ",
            "review ",
            "match reversi uct ./mi",
            "analyse reversi --player best:book=",
            "man --out x",
        ] {
            assert_eq!(offered(line), Offer::Files, "{line}");
        }
    }
}
