//! The set of known players, and the parser of player texts.

use std::str::FromStr;
use std::sync::Arc;

use banyan_core::{TextError, shortened};

use super::eval_setting::EvalSetting;
use super::handicap::Handicap;
use super::level::LEVELS;
use super::presets::{PRESETS, Preset};
use super::without::without;
use super::{BOOK, EVAL, HORIZON_EVAL, Kind, NO_BOOK, OPPONENT_MODEL, PlayerSpec, VOTE};
use crate::book::BookSetting;
use crate::external_engine::ExternalEngine;
use crate::suggest::did_you_mean;

/// Finds an engine that is not in the list, such as a library by its path.
pub type EngineFinder = fn(&str) -> Option<Arc<dyn ExternalEngine>>;

/// The known players: presets and external engines.
#[derive(Clone, Debug, Default)]
pub struct Players {
    engines: Vec<Arc<dyn ExternalEngine>>,
    /// Names whose definition is wrong, each with the error for those who use it.
    refused: Vec<(String, TextError)>,
    /// The reason why no engines could be read.
    unread: Option<TextError>,
    /// Called for names that are not in the list.
    finder: Option<EngineFinder>,
}

impl Players {
    /// Only the presets.
    pub fn presets() -> Players {
        Players::default()
    }

    /// Adds an external engine.
    ///
    /// # Errors
    /// A duplicate name, or one with characters of the player syntax.
    pub fn add(&mut self, engine: Arc<dyn ExternalEngine>) -> Result<(), TextError> {
        let name = engine.name();
        let err = |expected: &str| Err(TextError::new(format!("engine {name:?}"), expected, "rename it"));
        if name == HUMAN || LEVELS.contains(&name) || PRESETS.iter().any(|preset| preset.name == name) {
            return err("is the name of a built-in player");
        }
        if self.engine(name).is_some() {
            return err("is defined twice");
        }
        if name.is_empty() || name.contains(|c: char| "@:,+".contains(c) || c.is_whitespace() || c.is_control()) {
            return err("expected a name without spaces and without @ : , +");
        }
        self.engines.push(engine);
        Ok(())
    }

    /// Notes a name whose definition is wrong; the error is that of the player of this name.
    pub fn refuse(&mut self, name: &str, err: TextError) {
        self.engines.retain(|engine| engine.name() != name);
        self.refused.push((name.to_owned(), err));
    }

    /// Stores the reason why no engines could be read; the errors about unknown players include it.
    pub fn without_engines(&mut self, err: TextError) {
        self.unread = Some(err);
    }

    /// Sets a function that finds further engines.
    pub fn find_with(&mut self, finder: EngineFinder) {
        self.finder = Some(finder);
    }

    /// The engine of this name.
    pub fn engine(&self, name: &str) -> Option<&Arc<dyn ExternalEngine>> {
        self.engines.iter().find(|engine| engine.name() == name)
    }

    /// The only engine of this name in any letter case.
    fn engine_in_any_case(&self, name: &str) -> Option<&Arc<dyn ExternalEngine>> {
        let mut named = self.engines.iter().filter(|engine| engine.name().eq_ignore_ascii_case(name));
        named.next().filter(|_| named.next().is_none())
    }

    /// Parses a player: `uct:c=0.8`, an engine, or a vote. Names of players are read in any letter case; an engine whose name is written
    /// exactly so goes first.
    ///
    /// # Errors
    /// An unknown name or invalid settings.
    pub fn player(&self, text: &str) -> Result<PlayerSpec, TextError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let named = |err: TextError| err.at(format_args!("player {:?}", shortened(text)));
        if let Some((_, err)) = self.refused.iter().find(|(refused, _)| refused == name) {
            return Err(err.clone());
        }
        let found = || self.finder.and_then(|find| find(name));
        let built_in = built_in(name);
        let in_other_case = || built_in.is_none().then(|| self.engine_in_any_case(name)).flatten();
        if let Some(engine) = self.engine(name).or_else(in_other_case).cloned().or_else(found) {
            let (settings, book) = without_book(settings).map_err(named)?;
            if settings.is_empty() {
                let book = book.as_deref().and_then(book_setting);
                return Ok(PlayerSpec { book, ..PlayerSpec::plain("", Kind::ExternalEngine(engine)) });
            }
            let expected = format!("expected no settings for {name}, an external engine");
            return Err(TextError::new(format!("player {text:?}"), expected, "set its options in engines.toml"));
        }
        let preset = match built_in.ok_or_else(|| self.unknown(name))? {
            BuiltIn::Level(level) => return read_level(level, settings).map_err(named),
            BuiltIn::Preset(preset) => preset,
        };
        let mut kind = (preset.kind)();
        // The members of a vote have separate books and handicaps.
        let (settings, book, handicap) = match kind {
            Kind::Vote(_) => (settings.to_owned(), None, Handicap::default()),
            _ => {
                let (settings, book) = without_book(settings).map_err(named)?;
                let (settings, handicap) = Handicap::take(&settings).map_err(named)?;
                (settings, book, handicap)
            }
        };
        let (settings, eval) = without_weights(&settings, &kind).map_err(named)?;
        let (settings, model) = match kind {
            Kind::Search(_) => self.without_model(&settings).map_err(named)?,
            _ => (settings, None),
        };
        if let (Some(_), Kind::Search(config)) = (&model, &mut kind) {
            config.set(OPPONENT_MODEL, GIVEN_MODEL).map_err(named)?;
        }
        if let (Some(eval), Kind::Search(config)) = (&eval, &mut kind) {
            config.set(eval.name(), STATIC).map_err(named)?;
        }
        let read = match &mut kind {
            Kind::Vote(members) => self.read_members(&settings, members).map(|()| Vec::new()),
            Kind::Best(given) => read_settings_of_any(&settings, given).map(|()| Vec::new()),
            // Which settings are compatible depends on those that the game gives it.
            _ if preset.suits_its_game => set_all(preset, &mut kind, &settings),
            _ => set_all(preset, &mut kind, &settings).and_then(|names| kind.check().map(|()| names)),
        };
        let mut names = read.map_err(named)?;
        if matches!(kind, Kind::Search(_)) {
            names.extend(eval.as_ref().map(EvalSetting::name));
        }
        let rows = preset.settings.iter().map(|row| row.name);
        let given = rows.filter(|name| preset.suits_its_game && names.contains(name)).collect();
        let book = match &mut kind {
            // The player that `best` stands for may have a book, which `off` disables.
            Kind::Best(given) => {
                given.extend(eval.iter().map(|eval| (EVAL.to_owned(), eval.path().display().to_string())));
                given.extend(book.map(|file| (BOOK.to_owned(), file)));
                None
            }
            _ => book.as_deref().and_then(book_setting),
        };
        let eval = eval.filter(|_| !matches!(kind, Kind::Best(_)));
        Ok(PlayerSpec { name: preset.name, kind, given, book, eval, handicap, model: model.map(Box::new) })
    }

    /// The settings other than a named opponent model, and that player.
    ///
    /// # Errors
    /// An unknown player, or one that is composed of others.
    fn without_model(&self, settings: &str) -> Result<(String, Option<PlayerSpec>), TextError> {
        let is_named = |value: &str| !MODEL_WORDS.contains(&value);
        let (others, name) = without(settings, OPPONENT_MODEL, is_named)?;
        let Some(name) = name else { return Ok((others, None)) };
        let model = self.player(&name).and_then(|model| match model.kind {
            Kind::Vote(_) | Kind::Best(_) | Kind::Level(_) => {
                let expected = "expected a single player as the opponent model";
                Err(TextError::new(name.clone(), expected, "name the player itself"))
            }
            _ => Ok(model),
        });
        let model = model.map_err(|err| err.at(format_args!("{OPPONENT_MODEL}={}", shortened(&name))))?;
        Ok((others, Some(model)))
    }

    fn unknown(&self, name: &str) -> TextError {
        let refused = self.refused.iter().map(|(name, _)| name.as_str());
        let engines = self.engines.iter().map(|engine| engine.name()).chain(refused);
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).chain(engines).collect();
        if name.eq_ignore_ascii_case(HUMAN) {
            let expected = "expected another player, since human is only in `banyan play`, as --first or --second";
            return TextError::new("player \"human\"", expected, format!("use one of {}", names.join(", ")));
        }
        let hint = did_you_mean(name, names.iter().copied().chain(LEVELS));
        let expected = format!("expected one of {}, level-1 .. level-10{hint}", names.join(", "));
        let remedy = match &self.unread {
            None => "`banyan players` lists them with their settings".to_owned(),
            Some(err) => format!("if it is an engine, correct the file of engines: {err}"),
        };
        TextError::new(format!("unknown player {name:?}"), expected, remedy)
    }

    /// Parses at least two players joined by `+`.
    fn read_members(&self, texts: &str, members: &mut Vec<PlayerSpec>) -> Result<(), TextError> {
        let texts = split_members(texts);
        if texts.len() < 2 {
            let found = match texts.first() {
                Some(only) => format!("only one member, {only:?}"),
                None => "no members".to_owned(),
            };
            return Err(TextError::new(
                found,
                "expected at least two players",
                "join them with +, as in vote:uct+mcgs",
            ));
        }
        for (i, text) in texts.iter().enumerate() {
            let named = |err: TextError| err.at(format_args!("member {}", i + 1));
            if text.split(':').next().is_some_and(|name| name.eq_ignore_ascii_case(VOTE)) {
                let expected = "expected a player other than vote";
                return Err(named(TextError::new(format!("{text:?}"), expected, "list its members directly")));
            }
            members.push(self.player(text).map_err(named)?);
        }
        Ok(())
    }
}

/// Parses presets only; [`Players`] include external engines.
impl FromStr for PlayerSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PlayerSpec, TextError> {
        Players::presets().player(text)
    }
}

/// The opponent models that a search makes itself, and its word for one that it is given.
const MODEL_WORDS: [&str; 4] = ["off", "greedy", "uct", "pvs"];
const GIVEN_MODEL: &str = "player";

/// The evaluator of leaves that takes weights.
const STATIC: &str = "static";

/// A person at the terminal.
const HUMAN: &str = "human";

/// Splits players joined by `+`, which may also be part of a name or value.
fn split_members(texts: &str) -> Vec<String> {
    let mut members: Vec<String> = Vec::new();
    for piece in texts.split('+').filter(|_| !texts.is_empty()) {
        match members.last_mut() {
            Some(last) if continues(last, piece) => *last = format!("{last}+{piece}"),
            _ => members.push(piece.to_owned()),
        }
    }
    members
}

/// Whether `piece` continues the player `text`, as part of a name or value with a `+`.
fn continues(text: &str, piece: &str) -> bool {
    let head = |text: &str| text.split([':', ',']).next().unwrap_or_default().to_owned();
    VALUES_WITH_PLUS.contains(&setting_of(text)) && built_in(&head(piece)).is_none()
}

/// A player that needs no file.
#[derive(Clone, Copy)]
enum BuiltIn {
    Level(&'static str),
    Preset(&'static Preset),
}

/// The built-in player of this name, in any letter case.
fn built_in(name: &str) -> Option<BuiltIn> {
    let level = LEVELS.into_iter().find(|level| level.eq_ignore_ascii_case(name)).map(BuiltIn::Level);
    let preset = || PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name)).map(BuiltIn::Preset);
    level.or_else(preset)
}

/// A level with its book, the only setting that does not change its searches.
fn read_level(level: &'static str, settings: &str) -> Result<PlayerSpec, TextError> {
    let (others, book) = without_book(settings)?;
    if !others.is_empty() {
        let expected = format!("expected no setting of {level} but book, so that its strength is known");
        return Err(TextError::new(
            others,
            expected,
            "remove it, or use the player of that level (see `banyan players`)",
        ));
    }
    Ok(PlayerSpec { book: book.as_deref().and_then(book_setting), ..PlayerSpec::plain(level, Kind::Level(level)) })
}

/// Settings whose values may contain a +.
const VALUES_WITH_PLUS: [&str; 2] = ["threat-rules", "reward"];

/// The name of the last setting in `text`.
fn setting_of(text: &str) -> &str {
    let last = text.rsplit([':', ',']).next().unwrap_or_default();
    last.split('=').next().unwrap_or_default()
}

/// The settings other than the book, and the value of that one.
fn without_book(settings: &str) -> Result<(String, Option<String>), TextError> {
    let (others, value) = without(settings, BOOK, |_| true)?;
    if value.as_deref() == Some("") {
        let found = settings.split(',').find(|setting| setting.split('=').next() == Some(BOOK));
        let expected = "expected off or the file of a book";
        return Err(TextError::new(found.unwrap_or(BOOK), expected, "make one by `banyan book make`"));
    }
    Ok((others, value))
}

/// The settings other than one that names weights, and that one: `eval`, or of a Monte Carlo search `horizon-eval`.
///
/// # Errors
/// Two that name weights.
fn without_weights(settings: &str, kind: &Kind) -> Result<(String, Option<EvalSetting>), TextError> {
    let names: &[&'static str] = match kind {
        Kind::Search(_) => &[EVAL, HORIZON_EVAL],
        Kind::AlphaBeta(_) | Kind::Solver(_) | Kind::Best(_) => &[EVAL],
        _ => &[],
    };
    let (mut settings, mut found) = (settings.to_owned(), None);
    for &name in names {
        let (others, weights) = without(&settings, name, EvalSetting::is_named_by)?;
        settings = others;
        let Some(weights) = weights else { continue };
        if found.is_some() {
            let expected = format!("expected weights in {EVAL} or in {name}, not in both");
            return Err(TextError::new(format!("{name}={weights}"), expected, format!("write {name}={STATIC}")));
        }
        found = Some(EvalSetting::new(name, weights));
    }
    Ok((settings, found))
}

/// The setting of a file, or of `off`.
fn book_setting(file: &str) -> Option<BookSetting> {
    (file != NO_BOOK).then(|| BookSetting::new(file))
}

/// Reads settings of a player that is not known yet: each must be a setting of some search.
fn read_settings_of_any(settings: &str, given: &mut Vec<(String, String)>) -> Result<(), TextError> {
    let searches = PRESETS.iter().filter(|preset| !preset.settings.is_empty());
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let read = |preset: &Preset| set(preset, &mut (preset.kind)(), setting, &mut Vec::new());
        let mut first = None;
        if !searches.clone().any(|preset| read(preset).map_err(|err| first.get_or_insert(err).clone()).is_ok()) {
            return Err(first.expect("no search takes it"));
        }
        let (name, value) = setting.split_once('=').expect("a search has taken it");
        given.push((name.to_owned(), value.to_owned()));
    }
    Ok(())
}

/// Applies all `settings`, each at most once. Returns the names set.
fn set_all<'a>(preset: &Preset, kind: &mut Kind, settings: &'a str) -> Result<Vec<&'a str>, TextError> {
    let mut names_set = Vec::new();
    let settings = settings.split(',').filter(|setting| !setting.is_empty());
    settings.into_iter().try_for_each(|setting| set(preset, kind, setting, &mut names_set))?;
    Ok(names_set)
}

/// Applies one setting; `names_set` are the parameters already set.
fn set<'a>(preset: &Preset, kind: &mut Kind, setting: &'a str, names_set: &mut Vec<&'a str>) -> Result<(), TextError> {
    if preset.settings.is_empty() {
        return Err(TextError::new(
            setting,
            format!("expected no setting, since {} has none", preset.name),
            "remove it",
        ));
    }
    let Some((name, value)) = setting.split_once('=') else {
        let row = preset.settings[0];
        let remedy = format!("try {}={}", row.name, row.default);
        return Err(TextError::new(setting, "expected name=value", remedy));
    };
    if preset.settings.iter().all(|row| row.name != name) {
        let names: Vec<&str> = preset.settings.iter().map(|row| row.name).collect();
        let expected = format!("expected one of {}{}", names.join(", "), did_you_mean(name, names.iter().copied()));
        return Err(TextError::new(format!("unknown parameter {name:?}"), expected, "see `banyan players`"));
    }
    if names_set.contains(&name) {
        return Err(TextError::new(setting, format!("expected one value of {name}, found two"), "remove one of them"));
    }
    names_set.push(name);
    kind.set(name, value)
}
