//! The forms: their fields, and the actions that they end with.

use banyan_api::{End, GameView, Refusal, Search, SearchRequest, Spot};
use banyan_catalog::LEVELS;

use super::{App, Layer, Seats};
use crate::action::Action;
use crate::files;
use crate::form::{Field, Form, Purpose};
use crate::game::Game;
use crate::spec::Board;

impl App {
    /// Opens the form of an action; other actions have no effect.
    pub(super) fn open_form(&mut self, action: &Action) {
        let text = |key: &str| self.words.text(key);
        let form = match action {
            Action::TypeMove => {
                let field = Field::text(text("play.type"), "");
                Form::new(Purpose::TypeMove, text("play.type"), vec![field])
            }
            Action::NewGame => self.new_game_form(),
            Action::Open => {
                let fields = vec![Field::text(text("tui.file"), ""), Field::text(text("tui.number"), "1")];
                Form { hint: text("tui.open-hint"), ..Form::new(Purpose::Open, text("import.title"), fields) }
            }
            Action::Save => {
                let fields = vec![Field::text(text("tui.file"), "game.json")];
                Form { hint: text("tui.save-hint"), ..Form::new(Purpose::Save, text("tui.save"), fields) }
            }
            Action::Players => {
                let mut fields = self.player_fields(&self.game.spec);
                fields.push(Field::text(text("new.budget"), &*self.seats.budget));
                Form { hint: text("new.budget-hint"), ..Form::new(Purpose::Players, text("tui.players"), fields) }
            }
            Action::Analyst => {
                let analyst = Field::choice(text("engine.player"), self.presets(&self.game.spec), &self.seats.analyst);
                let fields = vec![analyst, Field::choice(text("engine.limit"), self.limits(), &self.seats.limit)];
                Form::new(Purpose::Analyst, text("tui.analyst"), fields)
            }
            _ => return,
        };
        self.layer = Layer::Form(Box::new(form));
    }

    fn new_game_form(&self) -> Form {
        let text = |key: &str| self.words.text(key);
        let spec = &self.game.spec;
        let games = self.words.about.games.iter().map(|game| (game.name.to_owned(), self.words.title_of(game)));
        let name = self.words.game(spec).map_or("", |game| game.name);
        let board = self.words.game(spec).map(|game| Board::read(game, spec));
        let [rows, columns] = board.as_ref().map_or([6, 7], |board| [board.rows, board.columns]);
        let holes = board.map(|board| board.holes.into_iter().collect::<Vec<_>>().join(" ")).unwrap_or_default();
        let mut fields = vec![
            Field::choice(text("new.game"), games.collect(), name),
            Field::text(text("new.rows"), rows.to_string()),
            Field::text(text("new.columns"), columns.to_string()),
            Field::text(text("tui.holes"), holes),
        ];
        fields.extend(self.player_fields(spec));
        fields.push(Field::text(text("new.budget"), &*self.seats.budget));
        Form { hint: text("new.budget-hint"), ..Form::new(Purpose::NewGame, text("new.title"), fields) }
    }

    /// The players of both sides.
    fn player_fields(&self, spec: &str) -> Vec<Field> {
        let sides = self.words.sides(spec);
        let mut players = vec![(String::new(), self.words.player(""))];
        players.extend(LEVELS.iter().map(|&level| (level.to_owned(), self.words.player(level))));
        players.extend(self.presets(spec));
        let field = |(side, chosen): (&String, &String)| Field::choice(side.clone(), players.clone(), chosen);
        sides.iter().zip(&self.seats.players).map(field).collect()
    }

    /// The presets of a game, without published systems.
    fn presets(&self, spec: &str) -> Vec<(String, String)> {
        let players = self.words.game(spec).map_or(&[][..], |game| &game.players);
        let named = players.iter().filter(|player| !player.published);
        named.map(|player| (player.name.to_owned(), player.name.to_owned())).collect()
    }

    fn limits(&self) -> Vec<(String, String)> {
        let time = |n: u32| (format!("{n}s"), self.words.say("limit.time", &[("n", &n)]));
        let nodes = |n: u32, shown: &str| (format!("nodes={n}"), self.words.say("limit.visits", &[("n", &shown)]));
        let none = ("infinite".to_owned(), self.words.text("limit.none"));
        vec![time(2), time(10), time(60), nodes(10_000, "10k"), nodes(100_000, "100k"), nodes(1_000_000, "1M"), none]
    }

    pub(super) fn act_on_form(&mut self, action: &Action) {
        let Layer::Form(form) = &mut self.layer else { return };
        match action {
            Action::NextField => form.go(1),
            Action::PreviousField => form.go(-1),
            Action::NextChoice | Action::PreviousChoice => {
                let steps = if *action == Action::NextChoice { 1 } else { -1 };
                if form.choose(steps) && form.purpose == Purpose::NewGame && form.at == 0 {
                    self.adopt_game();
                }
            }
            Action::Cancel => self.layer = Layer::Nothing,
            Action::Accept => {
                let form = (**form).clone();
                if let Err(refusal) = self.accept(&form) {
                    let text = self.words.refusal(&refusal);
                    self.layer = Layer::Form(Box::new(Form { error: Some(text), ..form }));
                }
            }
            _ => {}
        }
    }

    /// Another game was chosen: the form has its usual board.
    fn adopt_game(&mut self) {
        let Layer::Form(form) = &mut self.layer else { return };
        let [rows, columns] = self.words.game(form.value(0)).and_then(|game| game.default_size).unwrap_or([8, 8]);
        form.fields[1].input = crate::form::Input::Text(rows.to_string());
        form.fields[2].input = crate::form::Input::Text(columns.to_string());
        form.fields[3].input = crate::form::Input::Text(String::new());
    }

    fn accept(&mut self, form: &Form) -> Result<(), Refusal> {
        match form.purpose {
            Purpose::TypeMove => {
                let mut spot = self.game.spot();
                spot.moves.push(form.value(0).to_owned());
                banyan_api::state(&self.offer, &spot)?;
                self.layer = Layer::Nothing;
                self.play(form.value(0));
            }
            Purpose::NewGame => {
                let spec = self.spec_of(form)?;
                let game = Game::new(&self.offer, &Spot { game: spec, position: None, moves: Vec::new() })?;
                self.take_seats(&game, [form.value(4), form.value(5)], form.value(6))?;
                self.open_game(game);
                self.answer();
            }
            Purpose::Open => {
                let number = form.value(1).parse().unwrap_or(0);
                let (game, broken) = files::open(&self.offer, form.value(0), number, None)?;
                let n = game.line().len() - 1;
                let (path, spec) = (form.value(0), game.spec.clone());
                self.seats.players = [String::new(), String::new()];
                self.open_game(game);
                match broken {
                    None => {
                        self.tell(self.words.say("terminal.loaded", &[("n", &n), ("game", &spec), ("path", &path)]))
                    }
                    Some(broken) => self.complain(&Refusal::input(broken)),
                }
            }
            Purpose::Save => {
                // As on the page: a file does not depend on the language of the screen.
                let name = |player: &String| if player.is_empty() { "human".to_owned() } else { player.clone() };
                let names = self.seats.players.each_ref().map(name);
                let n = files::save(&self.offer, &self.game, &names, form.value(0))?;
                self.layer = Layer::Nothing;
                self.tell(self.words.say("terminal.saved", &[("n", &n), ("path", &form.value(0))]));
            }
            Purpose::Players => {
                self.check_seats(&self.game.spot(), [form.value(0), form.value(1)], form.value(2))?;
                self.set_seats([form.value(0), form.value(1)], form.value(2));
                self.layer = Layer::Nothing;
                self.moved();
                self.answer();
            }
            Purpose::Analyst => {
                self.check(&self.game.spot(), form.value(0), form.value(1), End::BudgetOrViewer)?;
                if self.seats.analyst != form.value(0) {
                    self.game.forget_found();
                }
                self.seats.analyst = form.value(0).to_owned();
                self.seats.limit = form.value(1).to_owned();
                self.layer = Layer::Nothing;
                self.turn_engine(true);
            }
        }
        Ok(())
    }

    fn take_seats(&mut self, game: &Game, players: [&str; 2], budget: &str) -> Result<(), Refusal> {
        self.check_seats(&game.spot(), players, budget)?;
        self.set_seats(players, budget);
        Ok(())
    }

    fn set_seats(&mut self, players: [&str; 2], budget: &str) {
        self.seats.players = players.map(str::to_owned);
        self.seats.budget = budget.to_owned();
    }

    /// Whether the players of the settings can play the game, and the analysing one can search it.
    ///
    /// # Errors
    /// One of them cannot.
    pub(crate) fn check_players(&self) -> Result<(), Refusal> {
        let Seats { players: [first, second], budget, analyst, limit } = &self.seats;
        self.check_seats(&self.game.spot(), [first, second], budget)?;
        self.check(&self.game.spot(), analyst, limit, End::BudgetOrViewer)
    }

    fn check_seats(&self, spot: &Spot, players: [&str; 2], budget: &str) -> Result<(), Refusal> {
        let named = players.into_iter().filter(|player| !player.is_empty());
        named.into_iter().try_for_each(|player| {
            let (name, own) = player.split_once('@').unwrap_or((player, budget));
            self.check(spot, name, own, End::Budget)
        })
    }

    /// Whether a player can play a game with a budget.
    fn check(&self, spot: &Spot, player: &str, budget: &str, end: End) -> Result<(), Refusal> {
        let request = SearchRequest {
            spot: spot.clone(),
            player: Some(player.to_owned()),
            budget: Some(budget.to_owned()),
            seed: None,
            lines: None,
            keep: None,
        };
        Search::new(&self.offer, &request, end).map(drop)
    }

    /// The specification of the board of a form.
    fn spec_of(&self, form: &Form) -> Result<String, Refusal> {
        let name = form.value(0);
        let Some(game) = self.words.game(name) else { return Ok(name.to_owned()) };
        let mut board = Board::read(game, name);
        let range = |field: usize, bounds: fn(&GameView) -> Option<[u32; 2]>| {
            let [min, max] = bounds(game).unwrap_or([2, 12]);
            let found = form.value(field);
            let range = self.words.say("new.range", &[("min", &min), ("max", &max)]);
            let wrong = || self.words.say("new.size-wrong", &[("found", &found), ("range", &range)]);
            found.parse::<usize>().map_err(|_| Refusal::input(wrong()))
        };
        board.rows = range(1, |game| Some(game.sizes.as_ref()?.rows))?;
        board.columns = range(2, |game| Some(game.sizes.as_ref()?.columns))?;
        board.holes = form.value(3).split([' ', ',']).filter(|hole| !hole.is_empty()).map(str::to_owned).collect();
        Ok(board.write())
    }
}
