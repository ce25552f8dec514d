//! The presets of published systems: their settings, which later changes of defaults must not move, and the refusal of what they do
//! not take.

use std::fs;
use std::path::Path;

use banyan::catalog::PRESETS;
use banyan::search::{ALPHA_BETA_TUNABLES, Algorithm, AlphaBetaConfig, Config, TUNABLES};

use crate::player;

/// All settings of a variant, one a line.
fn settings_of(variant: &str) -> String {
    let (base, given) = variant.split_once(':').expect("a variant has settings");
    let given = given.split(',').map(|setting| setting.split_once('=').expect("name=value"));
    let mut text = format!("{base}\n");
    let mut add = |name: &str, value: Option<String>| text += &format!("{name}={}\n", value.expect("a row"));
    if base == "pvs" {
        let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
        given.for_each(|(name, value)| config.set(name, value).expect(name));
        ALPHA_BETA_TUNABLES.iter().for_each(|row| add(row.name, config.get(row.name)));
    } else {
        let mut config = if base == "uct" { Config::uct() } else { Config::default() };
        given.for_each(|(name, value)| config.set(name, value).expect(name));
        TUNABLES.iter().for_each(|row| add(row.name, config.get(row.name)));
    }
    text
}

/// `UPDATE=1` writes the files anew.
#[test]
fn every_setting_of_a_published_system_is_pinned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published");
    let catalog = banyan::builtin();
    let presets = catalog.families().iter().flat_map(|family| family.tables.presets);
    let mut names = Vec::new();
    for preset in presets.filter(|preset| PRESETS.iter().any(|row| row.needs_its_game && row.name == preset.name)) {
        let [variant] = preset.variants else { panic!("{} has one variant", preset.name) };
        let (found, path) = (settings_of(variant), folder.join(format!("{}.txt", preset.name)));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &found).expect("the folder is there");
        }
        let pinned = fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
        assert_eq!(found, pinned, "{}: published settings do not change; UPDATE=1 writes them anew", preset.name);
        names.push(preset.name);
    }
    let expected: Vec<&str> = PRESETS.iter().filter(|preset| preset.needs_its_game).map(|preset| preset.name).collect();
    assert_eq!((names.len(), expected.len()), (7, 7), "{names:?} for {expected:?}");
}

/// The sections of the table of parameters: name of the preset and its rows, `[parameter, document, settings, verdict]`.
fn tables(readme: &str) -> Vec<(&str, Vec<[&str; 4]>)> {
    let part = readme.split("\n## ").find(|part| part.starts_with("To the letter\n")).expect("a part of that name");
    let sections = part.split("\n### ").skip(1);
    sections
        .map(|section| {
            let (name, text) = section.split_once('\n').expect("a heading");
            let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| parameter "));
            let cells = rows.map(|line| {
                let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
                cells.try_into().unwrap_or_else(|cells| panic!("four cells: {cells:?}"))
            });
            (name, cells.collect())
        })
        .collect()
}

/// The page of the experiment has every parameter of each document with the setting of the preset; what a preset sets is there too.
#[test]
fn the_table_of_parameters_is_that_of_the_presets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/published/README.md");
    let readme = fs::read_to_string(&path).expect("the page of the experiment");
    let catalog = banyan::builtin();
    let presets: Vec<_> = catalog.families().iter().flat_map(|family| family.tables.presets).collect();
    let tables = tables(&readme);
    let names: Vec<&str> = tables.iter().map(|table| table.0).collect();
    let expected: Vec<&str> = PRESETS.iter().filter(|preset| preset.needs_its_game).map(|preset| preset.name).collect();
    assert_eq!(names, expected);
    for (name, rows) in tables {
        let preset = presets.iter().find(|preset| preset.name == name).expect("a preset");
        let [variant] = preset.variants else { panic!("{name} has one variant") };
        let all = settings_of(variant);
        let listed: Vec<&str> = rows.iter().flat_map(|row| row[2].split('`').skip(1).step_by(2)).collect();
        for setting in &listed {
            assert!(all.lines().any(|line| line == *setting), "{name}: the page has {setting}, the preset {all}");
        }
        let (_, given) = variant.split_once(':').expect("settings");
        for setting in given.split(',') {
            let setting = setting.split_once('=').expect("name=value").0;
            assert!(
                listed.iter().any(|listed| listed.split('=').next() == Some(setting)),
                "{name}: the page lacks {setting}"
            );
        }
        for row in &rows {
            let verdict = row[3].split([':', ';', ',']).next().expect("a word").trim();
            assert!(
                ["same", "open", "differs", "as the text"].iter().any(|word| verdict.starts_with(word)),
                "{name}: {row:?}"
            );
            assert!(
                verdict == "same" || row[3].len() > verdict.len() || verdict == "as the text",
                "{name}: {row:?} without a reason"
            );
        }
    }
}

#[test]
fn a_published_system_is_refused_in_another_game_in_one_line() {
    for (name, of) in [
        ("uct-2019", "connect-four"),
        ("uct-2023", "connect-four"),
        ("mcgs-lionjump", "connect-four"),
        ("uct-reversi-report", "reversi"),
        ("uct-reversi-report-as-coded", "reversi"),
        ("uct-dots-study", "dots-and-boxes"),
        ("alpha-beta-dots-study", "dots-and-boxes"),
    ] {
        for game in ["connect-four", "reversi", "dots-and-boxes"] {
            let opened = banyan::builtin().game(game).expect("a built-in game");
            let modelled = format!("uct:reuse=none,opponent-model={name}");
            for text in [name.to_owned(), format!("vote:{name}+random"), modelled] {
                let (checked, resolved) =
                    (opened.check_player(&player(&text)), opened.in_game(&player(&text)).map(drop));
                assert_eq!(
                    (checked.is_ok(), resolved.is_ok()),
                    (game == of, game == of),
                    "{text} in {game}: {checked:?}"
                );
                if let Err(err) = resolved {
                    let err = err.to_string();
                    assert!(err.contains(&format!("player {name}: expected the game of this player")), "{err}");
                    assert!(!err.contains('\n'), "{err}");
                }
            }
        }
    }
}

#[test]
fn square_weights_need_a_board_of_64_squares() {
    for (game, fits) in [("reversi", true), ("reversi:6x6", false), ("reversi:10x10", false)] {
        let opened = banyan::builtin().game(game).expect("a built-in game");
        let checked = opened.check_player(&player("uct-reversi-report"));
        assert_eq!(checked.is_ok(), fits, "{game}");
        if let Err(err) = checked {
            assert!(err.to_string().contains("leave square-weights out"), "{err}");
        }
    }
}

#[test]
fn settings_on_top_of_a_published_system_that_conflict_are_refused() {
    let opened = banyan::builtin().game("dots-and-boxes").expect("a built-in game");
    opened.check_player(&player("uct-dots-study:horizon-eval=margin,eval-noise=2")).expect("its horizon is not 0");
    let err = opened.check_player(&player("uct-dots-study:horizon=0")).expect_err("no horizon").to_string();
    assert!(err.starts_with("player uct-dots-study:horizon=0: horizon-eval=static,horizon=0"), "{err}");
}
