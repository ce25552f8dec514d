//! The rows of an ablation: text such as `--on "PUCT: select=puct,fpu=0.2"` or a file of them, the settings that can be switched off,
//! and the players that they make.

use std::str::FromStr;

use banyan_catalog::{AnyGame, BoardRange, Budget, Catalog, Entry, PlayerSpec, Players, did_you_mean};
use banyan_core::TextError;
use banyan_search::Tunable;
use banyan_texts::Language;
use serde::Deserialize;

use crate::ablation_config::{AblationConfig, AblationRow, KeptKind, KeptSetting};
use crate::config::Entrant;

/// Most rows at all budgets together, against typing errors.
const MOST_PLAYERS: usize = 1000;

/// Settings that are no features of a search, but what it may use.
const RESOURCES: [&str; 3] = ["memory-mib", "table-mib", "threads"];

/// A requested row as text: `select=puct,fpu=0.2`, or with a name, `PUCT: select=puct,fpu=0.2`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedRow {
    /// Its name; the settings if there is none.
    #[serde(default)]
    name: Option<String>,
    /// The settings.
    settings: String,
    /// A remark for readers.
    #[serde(default)]
    note: Option<String>,
    /// The publication from which it comes.
    #[serde(default)]
    paper: Option<String>,
}

impl FromStr for AskedRow {
    type Err = TextError;

    fn from_str(text: &str) -> Result<AskedRow, TextError> {
        let (name, settings) = match text.split_once(": ") {
            Some((name, settings)) => (Some(name.trim()).filter(|name| !name.is_empty()), settings),
            None => (None, text),
        };
        if name.is_none()
            && let Some((name, settings)) = settings.split_once(':').filter(|(name, _)| !name.contains('='))
        {
            let expected = "expected a blank after the colon of a name";
            let remedy = format!("try \"{}: {}\"", name.trim(), settings.trim());
            return Err(TextError::new(format!("--on {text:?}"), expected, remedy));
        }
        let row =
            AskedRow { name: name.map(str::to_owned), settings: settings.trim().to_owned(), note: None, paper: None };
        row.checked().map_err(|err| err.at(format_args!("--on {text:?}")))
    }
}

impl AskedRow {
    /// The row, if its settings and its name can be those of one.
    fn checked(self) -> Result<AskedRow, TextError> {
        let is_setting = |setting: &str| setting.split_once('=').is_some_and(|(name, _)| !name.is_empty());
        let is_word = |c: char| !c.is_whitespace() && !c.is_control() && c != '@';
        if !self.settings.split(',').all(is_setting) || !self.settings.chars().all(is_word) {
            let expected = "expected settings joined by commas, with or without a name before them";
            return Err(TextError::new(format!("{:?}", self.settings), expected, "try \"PUCT: select=puct,fpu=0.2\""));
        }
        if let Some(name) = self.name.as_ref().filter(|name| name.chars().any(char::is_control) || name.is_empty()) {
            return Err(TextError::new(format!("name {name:?}"), "expected one line of text", "write another name"));
        }
        Ok(self)
    }
}

/// The rows of a file:
///
/// ```toml
/// [[row]]
/// name = "PUCT"
/// settings = "select=puct,fpu=0.2"
/// paper = "Rosin 2011"
/// ```
///
/// # Errors
/// A text that is not of this form, or has no row.
pub fn asked_rows(text: &str) -> Result<Vec<AskedRow>, TextError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        row: Vec<AskedRow>,
    }
    let remedy = "write [[row]], settings = \"c=0.5\", and if you like name, note and paper";
    let file: File = toml::from_str(text).map_err(|err| {
        let why = err.message().lines().next().unwrap_or_default().to_owned();
        TextError::new("rows", format!("expected a list of rows: {why}"), remedy)
    })?;
    if file.row.is_empty() {
        return Err(TextError::new("no row", "expected at least one", remedy));
    }
    file.row.into_iter().map(AskedRow::checked).collect()
}

/// The settings that are switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchedOff {
    /// All that differ from their neutral values.
    All,
    /// These.
    Named(Vec<String>),
}

/// The requested rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedRows {
    /// Settings to switch off, one at a time.
    pub off: Option<SwitchedOff>,
    /// Rows to switch on, one at a time.
    pub on: Vec<AskedRow>,
}

/// The players of an ablation of `player`, and its configuration. The rows that switch off come first.
///
/// # Errors
/// An invalid player, or one without settings or with its own budget; no budget, or one given twice; nothing to switch; a row that is
/// unknown to the player, that conflicts with its other settings, that changes nothing, or that is given twice.
pub fn variants(
    (catalog, known): (&Catalog, &Players),
    (game, player): (&str, &str),
    asked: &AskedRows,
    budgets: &[Budget],
) -> Result<(Vec<Entrant>, AblationConfig), TextError> {
    let base = Base::read((catalog, known), game, player)?;
    check_budgets(&base.spec, budgets)?;
    let (mut variants, mut kept) = (Vec::new(), Vec::new());
    match &asked.off {
        None => {}
        Some(SwitchedOff::All) => base.switch_off(&mut variants, &mut kept),
        Some(SwitchedOff::Named(names)) => {
            for name in names {
                variants.push(base.without(name).map_err(|err| err.at(format_args!("--off={name}")))?);
            }
        }
    }
    for row in &asked.on {
        let named = row.name.as_ref().map_or_else(|| row.settings.clone(), |name| format!("{name}: {}", row.settings));
        variants.push(base.with(row).map_err(|err| err.at(format_args!("row {named:?}")))?);
    }
    check_rows(&variants)?;
    let rows: Vec<AblationRow> = variants.into_iter().map(|variant| variant.row).collect();
    if rows.is_empty() {
        let expected = match kept.is_empty() {
            true => "expected a setting that differs from its neutral value, or a candidate".to_owned(),
            false => format!("expected a setting that can be switched off alone, unlike {}", names(&kept)),
        };
        return Err(TextError::new(
            format!("nothing to switch in {player}"),
            expected,
            "name candidates by --on c=0.5",
        ));
    }
    if (rows.len() + 1) * budgets.len() > MOST_PLAYERS {
        let found = format!("{} rows at {} budgets", rows.len(), budgets.len());
        return Err(TextError::new(found, format!("expected at most {MOST_PLAYERS} players"), "take fewer rows"));
    }
    let texts = |budget: &Budget| {
        let player = |settings: &str| format!("{}@{budget}", with_settings(&base.text, settings));
        std::iter::once(player("")).chain(rows.iter().map(move |row| player(&row.settings))).collect::<Vec<_>>()
    };
    let texts: Vec<String> = budgets.iter().flat_map(texts).collect();
    let mut players = Entrant::list(known, &texts, &Budget::default())?;
    if let Some(tables) = catalog.tables(game) {
        players = players.into_iter().map(|entrant| entrant.in_game(known, &tables)).collect::<Result<_, _>>()?;
    }
    let budgets = budgets.iter().map(Budget::to_string).collect();
    Ok((players, AblationConfig { player: player.to_owned(), budgets, rows, kept }))
}

fn names(kept: &[KeptSetting]) -> String {
    kept.iter().map(|kept| kept.setting.as_str()).collect::<Vec<_>>().join(", ")
}

fn check_budgets(player: &PlayerSpec, budgets: &[Budget]) -> Result<(), TextError> {
    if budgets.is_empty() {
        let remedy = "try --budget playouts=2000 --budget 10ms";
        return Err(TextError::new("no --budget", "expected the budgets at which every row is played", remedy));
    }
    for (i, budget) in budgets.iter().enumerate() {
        player.refuse_other_budget(budget)?;
        if budgets[..i].contains(budget) {
            let found = format!("--budget {budget}");
            return Err(TextError::new(found, "expected each budget once, found it twice", "remove one of them"));
        }
    }
    Ok(())
}

/// A row, and what it changes.
struct Variant {
    row: AblationRow,
    /// The settings whose values it changes with their new values, as they are printed, in the order of their names.
    changed: Vec<(String, String)>,
}

fn check_rows(variants: &[Variant]) -> Result<(), TextError> {
    for (i, Variant { row, changed }) in variants.iter().enumerate() {
        for Variant { row: other, changed: changed_by_other } in &variants[..i] {
            if changed == changed_by_other {
                let expected = format!("expected each variant once, and {:?} is the same", other.name);
                return Err(TextError::new(format!("row {:?}", row.name), expected, "remove one of them"));
            }
            if row.name == other.name {
                let expected = "expected another name for each row, found it twice";
                return Err(TextError::new(format!("row {:?}", row.name), expected, "rename one of them"));
            }
        }
    }
    Ok(())
}

/// The player without changes.
struct Base<'a> {
    catalog: &'a Catalog,
    known: &'a Players,
    game: &'a str,
    /// A board of the game.
    board: AnyGame,
    /// Its text, to which settings can be added.
    text: String,
    spec: PlayerSpec,
}

impl<'a> Base<'a> {
    fn read((catalog, known): (&'a Catalog, &'a Players), game: &'a str, player: &str) -> Result<Base<'a>, TextError> {
        if let (base, Some(budget)) = Entry::split(player) {
            let expected = "expected the player without a budget, which all rows share";
            return Err(TextError::new(player, expected, format!("write {base} --budget {budget}")));
        }
        let board = match BoardRange::parse(game)? {
            Some(range) => range.draw(catalog, 0)?,
            None => catalog.game(game)?,
        };
        let asked = known.player(player)?;
        let spec = match catalog.tables(game) {
            Some(tables) => asked.in_game(&tables)?,
            None => asked.clone(),
        };
        if spec.settings().is_empty() {
            let expected = "expected a player with settings to switch";
            return Err(TextError::new(format!("player {player}"), expected, "`banyan players` lists them"));
        }
        // `best` and levels stand for another player.
        let text = if spec == asked { player.to_owned() } else { spec.to_string() };
        Ok(Base { catalog, known, game, board, text, spec })
    }

    fn value(&self, name: &str) -> Option<String> {
        self.spec.value(name, self.catalog.tables(self.game).as_ref())
    }

    /// Adds a row for each setting that differs from its neutral value, or the reason why it stays.
    fn switch_off(&self, variants: &mut Vec<Variant>, kept: &mut Vec<KeptSetting>) {
        for Tunable { name, neutral, .. } in self.spec.settings() {
            let value = self.value(name).unwrap_or_default();
            if value == *neutral {
                continue;
            }
            let setting = format!("{name}={value}");
            if RESOURCES.contains(name) {
                let reason = Language::En.say("ablation.resource", &[]);
                kept.push(KeptSetting { setting, kind: KeptKind::Resource, reason });
                continue;
            }
            match self.without(name) {
                Ok(variant) => variants.push(variant),
                Err(err) => kept.push(KeptSetting { setting, kind: KeptKind::Needed, reason: err.to_string() }),
            }
        }
    }

    /// The player with the neutral value of a setting.
    fn without(&self, name: &str) -> Result<Variant, TextError> {
        let Some(row) = self.spec.settings().iter().find(|row| row.name == name) else {
            return Err(self.unknown(name));
        };
        self.with(&AskedRow { name: None, settings: format!("{name}={}", row.neutral), note: None, paper: None })
    }

    fn unknown(&self, name: &str) -> TextError {
        let hint = did_you_mean(name, self.spec.settings().iter().map(|row| row.name));
        let expected = format!("expected a setting of {}{hint}", self.spec);
        TextError::new(name, expected, "see `banyan players`")
    }

    /// The player with the settings of a row, and only these changed.
    fn with(&self, row: &AskedRow) -> Result<Variant, TextError> {
        let tables = self.catalog.tables(self.game);
        let names: Vec<&str> = row.settings.split(',').filter_map(|setting| setting.split('=').next()).collect();
        // Names in the other settings of every player, such as the book, are found by the parser.
        let is_known = |name: &&&str| self.value(name).is_some();
        let read = self.known.player(&with_settings(&self.text, &row.settings));
        let variant = match (read, names.iter().find(|name| !is_known(name))) {
            (Ok(variant), _) => variant,
            (Err(_), Some(name)) => return Err(self.unknown(name)),
            (Err(err), None) => return Err(err),
        };
        // One value has several spellings: 0.3, 0.30. What has no value is compared as text.
        let value = |(name, text): (&str, &str)| {
            (name.to_owned(), variant.value(name, tables.as_ref()).unwrap_or_else(|| text.to_owned()))
        };
        let mut changed: Vec<(String, String)> =
            row.settings.split(',').filter_map(|setting| setting.split_once('=')).map(value).collect();
        changed.retain(|(name, value)| self.value(name).as_ref() != Some(value));
        changed.sort_unstable();
        if changed.is_empty() {
            let expected = format!("expected another value than that of {}", self.spec);
            return Err(TextError::new(row.settings.clone(), expected, "remove the row"));
        }
        self.spec.check_variant(&variant, &names, tables.as_ref())?;
        self.board.check_player(&variant)?;
        let is_changed = |name: &&&str| changed.iter().any(|(changed, _)| changed == **name);
        let before = names.iter().filter(is_changed).filter_map(|name| Some(format!("{name}={}", self.value(name)?)));
        let row = AblationRow {
            name: row.name.clone().unwrap_or_else(|| row.settings.clone()),
            settings: row.settings.clone(),
            instead_of: before.collect::<Vec<_>>().join(","),
            note: row.note.clone(),
            paper: row.paper.clone(),
        };
        Ok(Variant { row, changed })
    }
}

/// The text of a player with these settings, which replace those of the same names.
fn with_settings(player: &str, settings: &str) -> String {
    let (preset, own) = player.split_once(':').unwrap_or((player, ""));
    let name_of = |setting: &str| setting.split('=').next().unwrap_or_default().to_owned();
    let replaced: Vec<String> = settings.split(',').map(name_of).collect();
    let kept = own.split(',').filter(|setting| !replaced.contains(&name_of(setting)));
    let all: Vec<&str> = kept.chain(settings.split(',')).filter(|setting| !setting.is_empty()).collect();
    if all.is_empty() { preset.to_owned() } else { format!("{preset}:{}", all.join(",")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_settings_with_or_without_a_name() {
        let check = |text: &str, name: Option<&str>, settings: &str| {
            let row: AskedRow = text.parse().expect(text);
            assert_eq!((row.name.as_deref(), row.settings.as_str()), (name, settings));
        };
        check("c=0.5", None, "c=0.5");
        check("select=puct,fpu=0.2", None, "select=puct,fpu=0.2");
        check("PUCT, no priors: select=puct,fpu=0.2", Some("PUCT, no priors"), "select=puct,fpu=0.2");
        check("x: opponent-model=pvs:depth=2", Some("x"), "opponent-model=pvs:depth=2");
        for text in ["", "c", "c=1,", "name: ", "c=1 fpu=2", "c=1@10ms", "=1"] {
            assert!(text.parse::<AskedRow>().is_err(), "{text}");
        }
        let err = "PUCT:select=puct,fpu=0.2".parse::<AskedRow>().expect_err("no blank").to_string();
        assert!(
            err.ends_with("expected a blank after the colon of a name; try \"PUCT: select=puct,fpu=0.2\""),
            "{err}"
        );
    }

    #[test]
    fn a_file_of_rows_has_names_notes_and_papers() {
        let text = "[[row]]\nname = \"PUCT\"\nsettings = \"select=puct,fpu=0.2\"\npaper = \"Rosin 2011\"\n\n[[row]]\nsettings = \"c=1\"\n";
        let rows = asked_rows(text).expect("rows");
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].name.as_deref(), rows[0].paper.as_deref()), (Some("PUCT"), Some("Rosin 2011")));
        assert_eq!(rows[1], "c=1".parse().expect("a row"));
        for (text, part) in [
            ("", "no row: expected at least one"),
            ("[[row]]\nname = \"a\"\n", "missing field `settings`"),
            ("[[row]]\nsetting = \"a\"\n", "unknown field `setting`"),
            ("[[row]]\nsettings = \"a\"\n", "expected settings joined by commas"),
        ] {
            let err = asked_rows(text).expect_err(text).to_string();
            assert!(err.contains(part) && !err.contains('\n'), "{err}");
        }
    }

    #[test]
    fn settings_replace_those_of_the_player() {
        for (player, settings, expected) in [
            ("uct", "", "uct"),
            ("uct", "c=1", "uct:c=1"),
            ("uct:", "c=1", "uct:c=1"),
            ("uct:c=2,proof=off", "c=1,tie=first", "uct:proof=off,c=1,tie=first"),
        ] {
            assert_eq!(with_settings(player, settings), expected);
        }
    }
}
