//! A game in progress at the terminal, each side a person or a player.

use std::fmt::Display;
use std::io::Write;

use anyhow::Result;
use banyan_catalog::book::BuiltInBook;
use banyan_catalog::view::Analysis;
use banyan_catalog::{Budget, Catalog, Opening, PlayerSpec, Record, Seat, Session};
use banyan_core::{Limits, Side, TextError};
use banyan_texts::Language;
use textwrap::core::display_width;

use super::clocks::Clocks;
use super::files;
use super::lessons::{self, Told};
use super::participant::Participant;
use super::prompt::Prompt;
use super::request::{LISTED, Request, advice, typed};
use super::setup::{Seats, Setup};
use super::words;
use crate::Exit;
use crate::commands::{games, review};
use crate::input::language::LanguageArg;
use crate::interrupt::{self, Interrupt};
use crate::output::board;
use crate::output::game_words;
use crate::output::move_names::{forced_pass, short_name, short_names};
use crate::output::search_progress::{SearchProgress, done, elapsed, principal_variation};
use crate::output::terminal::Terminal;
use crate::program::program;

/// Output besides the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The names of the legal moves on the board; `None` if the board decides.
    pub(crate) names: Option<bool>,
    /// The figures of searches.
    pub(crate) thinking: bool,
    /// The language, as it was chosen.
    pub(crate) language: LanguageArg,
}

/// Columns of a command in the help.
const COMMAND_COLUMNS: usize = 11;

/// The end of a person's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The position has changed.
    Changed,
    /// The person has quit, or the input has ended.
    Left,
}

/// A game in progress at the terminal.
pub(crate) struct InteractiveGame<'t> {
    catalog: &'t Catalog,
    session: Session,
    setup: Setup,
    shown: Shown,
    terminal: &'t mut Terminal,
    seats: Seats,
    clocks: Clocks,
    interrupt: Interrupt,
    /// The side that has resigned.
    resigned: Option<Side>,
    /// The number of moves before the last hint, which a question about a move then continues.
    hinted_at: Option<usize>,
}

impl<'t> InteractiveGame<'t> {
    /// # Errors
    /// A player that cannot play this game.
    pub(crate) fn new(
        catalog: &'t Catalog,
        mut session: Session,
        setup: Setup,
        shown: Shown,
        terminal: &'t mut Terminal,
    ) -> Result<InteractiveGame<'t>, TextError> {
        let seats = setup.add_players(&mut session)?;
        let clocks = Clocks::new(setup.budgets());
        let interrupt = Interrupt::install();
        let (resigned, hinted_at) = (None, None);
        Ok(InteractiveGame { catalog, session, setup, shown, terminal, seats, clocks, interrupt, resigned, hinted_at })
    }

    /// Plays until the game is over, the person quits, or Ctrl-C.
    pub(crate) fn play(mut self) -> Result<Exit> {
        let prompt = Prompt::new(self.interrupt.clone());
        if self.setup.has_person() {
            self.greet()?;
        }
        // The board of a pass is shown again only to a person, whose legal moves it marks.
        let mut is_shown = false;
        loop {
            interrupt::set_resume(self.farewell());
            if !is_shown {
                self.show_board()?;
            }
            is_shown = false;
            if self.pass_if_forced()? {
                is_shown = !self.is_persons_turn();
                continue;
            }
            if self.is_over() {
                self.show_result()?;
            }
            if self.is_persons_turn() {
                if self.let_person_move(&prompt)? == Turn::Left {
                    return Ok(Exit::Done);
                }
            } else if self.is_over() {
                return Ok(Exit::Done);
            } else {
                self.let_player_move()?;
            }
            if self.interrupt.pressed() {
                write!(self.terminal.err, "{}", self.farewell())?;
                return Ok(Exit::Interrupted);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.session.result().is_some()
    }

    /// Whether the next line comes from a person, also when the game is over.
    fn is_persons_turn(&self) -> bool {
        if self.is_over() { self.setup.has_person() } else { self.setup.is_person(self.session.to_move()) }
    }

    /// The language of this person.
    fn language(&self) -> Language {
        self.terminal.language
    }

    /// A text in the language of this person.
    fn say(&self, key: &str, params: &[(&str, &dyn Display)]) -> String {
        self.language().say(key, params)
    }

    fn tell_text(&mut self, key: &str, params: &[(&str, &dyn Display)]) -> Result<()> {
        let text = self.say(key, params);
        self.tell(&text)
    }

    fn tell(&mut self, text: &str) -> Result<()> {
        writeln!(self.terminal.out, "{text}")?;
        Ok(())
    }

    /// Prints a mistake of the person in one line.
    fn refuse(&mut self, err: &TextError) -> Result<()> {
        self.tell(&err.to_string())
    }

    /// Prints the game, its rules, and the participant of each side.
    fn greet(&mut self) -> Result<()> {
        let spec = self.session.spec();
        let rules = game_words::rules(self.language(), &self.session);
        let with_rules = |rules| self.say("terminal.rules", &[("game", &spec), ("rules", &rules)]);
        self.tell(&rules.map(with_rules).unwrap_or_else(|| spec.clone()))?;
        let [first, second] = Side::BOTH.map(|side| {
            let side_name = match self.terminal.has_colours() {
                true => words::marked_in_colour(self.language(), &self.session, side, self.terminal.ascii),
                false => self.marked(side),
            };
            let player = self.player_name(side);
            match self.built_in_book(side) {
                Some(plies) => {
                    let values: [(&str, &dyn Display); 3] = [("side", &side_name), ("player", &player), ("n", &plies)];
                    self.say("terminal.side-with-book", &values)
                }
                None => self.say("terminal.side", &[("side", &side_name), ("player", &player)]),
            }
        });
        self.tell_text("terminal.greeting", &[("first", &first), ("second", &second)])?;
        let has_marks = self.session.picture().is_some_and(|picture| picture.cells.iter().any(|cell| cell.legal));
        match self.shows_names() {
            true => self.tell_text("terminal.names-shown", &[]),
            false if has_marks => self.tell_text("terminal.legal-marks", &[]),
            false => Ok(()),
        }
    }

    /// A side with its mark on the board: `X (●)`.
    fn marked(&self, side: Side) -> String {
        words::marked(self.language(), &self.session, side, None, self.terminal.ascii)
    }

    /// `you` for the only person, otherwise the name of the player.
    fn player_name(&self, side: Side) -> String {
        match self.setup.only_person() == Some(side) {
            true => self.say("terminal.you", &[]),
            false => self.shown_participant(side),
        }
    }

    /// Moves to the last positions of the book of the program, if the player of a side uses that.
    fn built_in_book(&self, side: Side) -> Option<u16> {
        let Participant::Player(entry) = &self.setup.participants[side.index()] else { return None };
        self.session.in_game(&entry.player).ok().filter(PlayerSpec::has_built_in_book)?;
        self.session.tables().exact_book.map(BuiltInBook::plies)
    }

    /// The participant of a side: the name of the player, as it is typed, or a word for a person.
    fn shown_participant(&self, side: Side) -> String {
        match &self.setup.participants[side.index()] {
            Participant::Human => self.say("terminal.human", &[]),
            player @ Participant::Player(_) => player.to_string(),
        }
    }

    /// Plays the move of a side that can only pass. Returns whether there is one.
    fn pass_if_forced(&mut self) -> Result<bool> {
        let Some(pass) = forced_pass(&self.session).filter(|_| !self.is_over()) else { return Ok(false) };
        let side = self.marked(self.session.to_move());
        self.tell_text("terminal.passes", &[("side", &side)])?;
        self.session.play(&pass)?;
        Ok(true)
    }

    fn let_player_move(&mut self) -> Result<()> {
        let side = self.session.to_move();
        let seat = self.seats.sides[side.index()].expect("a side without a person has a player");
        let limits = self.clocks.limits(side);
        let name = self.marked(side);
        let thinking = self.say("terminal.thinking", &[("side", &name)]);
        let analysis = self.search(seat, &limits, thinking)?;
        if self.interrupt.pressed() {
            return Ok(());
        }
        self.clocks.spend(side, elapsed(&analysis));
        let best = analysis.best.as_deref().expect("a game that is not over has a move");
        let shown = self.shown_move(best);
        self.session.play(best)?;
        // A player that does not search has no statistics.
        if self.shown.thinking && analysis.playouts > 0 {
            self.tell(&done(&analysis, self.language()))?;
        }
        self.tell_text("terminal.plays", &[("side", &name), ("move", &shown)])
    }

    /// Searches the position; the live line has `text`, or the figures of the search if they are shown.
    fn search(&mut self, seat: Seat, limits: &Limits, text: String) -> Result<Analysis> {
        let mut progress = match self.shown.thinking {
            true => SearchProgress::new(&self.interrupt, self.language()),
            false => SearchProgress::of_many(&self.interrupt),
        };
        progress.set_message(text);
        Ok(self.session.choose(seat, limits, &mut progress)?)
    }

    /// Executes the person's commands until the position changes or the person quits.
    fn let_person_move(&mut self, prompt: &Prompt) -> Result<Turn> {
        loop {
            let farewell = self.farewell();
            let prompt_text =
                if self.is_over() { self.say("terminal.over", &[]) } else { self.marked(self.session.to_move()) };
            let line = match prompt.read(&prompt_text, &farewell, self.terminal)? {
                Some(Ok(line)) => line,
                Some(Err(err)) => {
                    self.refuse(&err)?;
                    continue;
                }
                None => {
                    write!(self.terminal.out, "{farewell}")?;
                    return Ok(Turn::Left);
                }
            };
            match Request::parse(&typed(&line)).map_err(anyhow::Error::from).and_then(|request| self.execute(&request))
            {
                Ok(Some(turn)) => return Ok(turn),
                Ok(None) => {}
                Err(err) => self.refuse(&err.downcast::<TextError>()?)?,
            }
            if self.interrupt.pressed() {
                return Ok(Turn::Changed);
            }
        }
    }

    /// Executes a command; `Some` if it ends the turn.
    ///
    /// # Errors
    /// A [`TextError`] for a mistake of the person, which changes nothing.
    fn execute(&mut self, request: &Request<'_>) -> Result<Option<Turn>> {
        match request {
            Request::Nothing => {}
            Request::Play(text) => return self.play_move(text).map(Some),
            Request::Hint => self.hint()?,
            Request::Why(budget) => self.explain(*budget)?,
            Request::WhyMove(text) => self.explain_instead(text)?,
            Request::Games => games::list(self.catalog, self.terminal)?,
            Request::Review(budget) => self.review(*budget)?,
            Request::Undo => return self.take_back().map(Some),
            Request::ListMoves => self.list_moves()?,
            Request::Board => self.show_board()?,
            Request::Names => self.toggle_names()?,
            Request::Level(level) => self.set_level(&level.to_ascii_lowercase())?,
            Request::Resign => return self.resign().map(Some),
            Request::New(game) => return self.begin(game).map(Some),
            Request::Rematch => return self.rematch().map(Some),
            Request::Save { path, replace } => self.save(path, *replace)?,
            Request::Load(path) => return self.load(path).map(Some),
            Request::Help => self.help()?,
            Request::Quit => {
                write!(self.terminal.out, "{}", self.farewell())?;
                return Ok(Some(Turn::Left));
            }
        }
        Ok(None)
    }

    /// # Errors
    /// The game is over.
    fn refuse_if_over(&self, found: &str) -> Result<(), TextError> {
        match self.is_over() {
            true => Err(TextError::new(found, "expected a game that is not over", "type undo, new or rematch")),
            false => Ok(()),
        }
    }

    fn play_move(&mut self, text: &str) -> Result<Turn> {
        self.refuse_if_over(&format!("move {text:?}"))?;
        let advised = |err: TextError| TextError { remedy: format!("{}; {}", err.remedy, advice(text)), ..err };
        self.session.play(text).map_err(advised)?;
        Ok(Turn::Changed)
    }

    /// A legal move as the board names it.
    fn shown_move(&self, mv: &str) -> String {
        if self.shows_names() { short_name(&self.session, mv) } else { mv.to_owned() }
    }

    fn shown_moves(&self, moves: &[String]) -> Vec<String> {
        if self.shows_names() { short_names(&self.session, moves) } else { moves.to_vec() }
    }

    fn list_moves(&mut self) -> Result<()> {
        self.refuse_if_over("moves")?;
        let moves = self.session.legal_moves();
        let shown: Vec<String> = moves.iter().map(|mv| self.shown_move(mv)).collect();
        self.tell(&shown.join(" "))
    }

    /// Prints the move and the assessment of the adviser.
    fn hint(&mut self) -> Result<()> {
        self.refuse_if_over("hint")?;
        self.hinted_at = Some(self.session.history().len());
        let limits = self.clocks.limits(self.session.to_move());
        let analysis = self.search(self.seats.adviser, &limits, self.say("terminal.searching", &[]))?;
        let best = analysis.best.as_deref().expect("a game that is not over has a move");
        if self.shown.thinking {
            self.tell(&done(&analysis, self.language()))?;
        }
        let hint = match analysis.pv.get(1..).filter(|line| !line.is_empty() && analysis.pv[0] == best) {
            Some(_) => {
                let line = self.shown_moves(&analysis.pv);
                let then = principal_variation(&line[1..]);
                self.say("terminal.hint-then", &[("move", &line[0]), ("line", &then)])
            }
            None => self.say("terminal.hint", &[("move", &self.shown_move(best))]),
        };
        self.tell(&hint)?;
        let standing = words::standing(self.language(), &self.session, &analysis, self.setup.only_person());
        self.tell(&standing)
    }

    /// A copy of the game for a review.
    ///
    /// # Errors
    /// There is no move to review.
    fn copy(&self, word: &str) -> Result<Session> {
        if self.session.history().is_empty() {
            return Err(TextError::new(word, "expected a game with moves", "make a move first").into());
        }
        Ok(self.record().open(self.catalog)?)
    }

    fn record(&self) -> Record {
        Record::of(&self.session, self.setup.participants.each_ref().map(ToString::to_string))
    }

    /// Prints what every move has lost.
    fn review(&mut self, budget: Option<Budget>) -> Result<()> {
        let mut reviewed = lessons::whole_game(self.copy("review")?, budget, (&self.interrupt, self.language()))?;
        if self.shows_names() {
            lessons::shorten_names(self.catalog, &mut reviewed)?;
        }
        write!(self.terminal.out, "{}", review::tables(&reviewed, self.language(), self.terminal.width))?;
        if self.interrupt.take() {
            self.tell_text("terminal.review-cut", &[("n", &reviewed.moves.len())])?;
        }
        Ok(())
    }

    /// Prints the last mistake of the person, and the better line.
    fn explain(&mut self, budget: Option<Budget>) -> Result<()> {
        let session = self.copy("why")?;
        let persons = self.persons();
        let (reviewed, mistake) = lessons::last_mistake(session, &persons, budget, (&self.interrupt, self.language()))?;
        let is_cut = self.interrupt.take();
        match mistake {
            Some(mv) => {
                let lines = lessons::explained(
                    self.catalog,
                    &reviewed,
                    &mv,
                    (Told::Made, self.shows_names()),
                    self.language(),
                )?;
                lines.iter().try_for_each(|line| self.tell(line))
            }
            None if is_cut => self.tell_text("terminal.review-cut", &[("n", &reviewed.moves.len())]),
            None => match lessons::n_moves_of(&reviewed, &persons) {
                0 => Err(TextError::new("why", "expected a move of yours to explain", "make a move first").into()),
                n => self.tell_text("terminal.no-mistake", &[("n", &n)]),
            },
        }
    }

    fn persons(&self) -> Vec<Side> {
        Side::BOTH.into_iter().filter(|&side| self.setup.is_person(side)).collect()
    }

    /// Prints what a move loses: in this position after a hint, otherwise instead of the last move of the person, if it can be made there.
    fn explain_instead(&mut self, text: &str) -> Result<()> {
        let is_hinted = self.hinted_at == Some(self.session.history().len());
        let n_undone = self.since_last_choice().filter(|_| !is_hinted).into_iter();
        let mut found = None;
        for n_moves in n_undone.chain((!self.is_over()).then_some(0)) {
            let mut session = self.record().open(self.catalog)?;
            let made = (0..n_moves).filter_map(|_| session.undo()).last();
            if session.play(text).is_ok_and(|played| made.as_ref() != Some(&played)) {
                found = Some((session, made));
                break;
            }
        }
        let Some((session, made)) = found else {
            let expected = "expected why alone for your last mistake, or with a move that you could make";
            return Err(
                TextError::new(format!("why {text}"), expected, "type why, or moves for the legal moves").into()
            );
        };
        let reviewed = lessons::last_move(session, None, (&self.interrupt, self.language()))?;
        self.interrupt.take();
        let Some(mv) = reviewed.moves.last() else { return Ok(()) };
        let told = made.as_deref().map_or(Told::Here, Told::InsteadOf);
        let lines = lessons::explained(self.catalog, &reviewed, mv, (told, self.shows_names()), self.language())?;
        lines.iter().try_for_each(|line| self.tell(line))
    }

    /// Takes back a resignation, or moves to the last position in which a person had a choice.
    fn take_back(&mut self) -> Result<Turn> {
        if self.resigned.take().is_some() {
            return Ok(Turn::Changed);
        }
        let Some(n_moves) = self.since_last_choice() else {
            return Err(TextError::new("undo", "expected a move to take back", "make a move first").into());
        };
        (0..n_moves).for_each(|_| drop(self.session.undo()));
        Ok(Turn::Changed)
    }

    /// The moves since the last position in which a person had a choice.
    fn since_last_choice(&self) -> Option<usize> {
        let mut earlier = self.session.fork();
        let mut n_moves = 0;
        while earlier.undo().is_some() {
            n_moves += 1;
            if self.setup.is_person(earlier.to_move()) && forced_pass(&earlier).is_none() {
                return Some(n_moves);
            }
        }
        None
    }

    fn toggle_names(&mut self) -> Result<()> {
        let names = !self.shows_names();
        self.shown.names = Some(names).filter(|&names| names != self.usually_shows_names());
        match (self.shows_names(), board::paint_moves(&self.session, self.terminal.ascii)) {
            (true, Some(_)) => {
                self.show_board()?;
                self.tell_text("terminal.names-shown", &[])
            }
            (true, None) => {
                let moves = self.session.legal_moves().join(" ");
                self.tell_text("terminal.names-nowhere", &[("moves", &moves)])
            }
            (false, _) => {
                self.show_board()?;
                self.tell_text("terminal.names-hidden", &[])
            }
        }
    }

    /// Changes the opponent to a level, or prints who it is.
    fn set_level(&mut self, level: &str) -> Result<()> {
        let opponent = self.setup.opponent()?;
        let side = self.marked(opponent);
        if level.is_empty() {
            let player = &self.setup.participants[opponent.index()];
            let n_levels = self.session.tables().levels.len();
            let params: [(&str, &dyn Display); 3] = [("side", &side), ("player", player), ("n", &n_levels)];
            let told = self.say("terminal.level", &params);
            return self.tell(&told);
        }
        let setup = self.setup.at_level(level, &self.session)?;
        let clocks = self.clocks;
        self.change_session(self.record().open(self.catalog)?, setup)?;
        self.clocks = clocks;
        let player = &self.setup.participants[opponent.index()];
        let told = self.say("terminal.level-set", &[("side", &side), ("player", player)]);
        self.tell(&told)
    }

    fn resign(&mut self) -> Result<Turn> {
        self.refuse_if_over("resign")?;
        self.resigned = Some(self.session.to_move());
        Ok(Turn::Changed)
    }

    /// Begins a game; the same one if no other is named.
    fn begin(&mut self, game: &str) -> Result<Turn> {
        let setup = self.setup.again();
        self.begin_with(game, setup)
    }

    fn rematch(&mut self) -> Result<Turn> {
        if !self.is_over() {
            let expected = "expected a game that is over";
            return Err(TextError::new("rematch", expected, "type resign first, or new").into());
        }
        let setup = self.setup.swapped();
        self.begin_with("", setup)
    }

    fn begin_with(&mut self, game: &str, setup: Setup) -> Result<Turn> {
        let (spec, position) = match game {
            "" => (self.session.spec(), self.session.opening()),
            game => (self.catalog.spec_of_words(game).unwrap_or_else(|| game.to_owned()), None),
        };
        let opening = position.as_deref().map_or(Opening::Start, Opening::Position);
        let named = self.catalog.game(&spec).map_err(|err| match self.catalog.tables(&spec) {
            Some(_) => err,
            None => TextError { remedy: "type games to list them with their options".to_owned(), ..err },
        });
        let session = named?.open(opening)?;
        let left = self.farewell();
        let has_moves = !self.session.history().is_empty();
        self.change_session(session, setup)?;
        if !left.is_empty() && has_moves {
            write!(self.terminal.out, "{left}")?;
        }
        self.greet()?;
        Ok(Turn::Changed)
    }

    fn save(&mut self, path: &str, replace: bool) -> Result<()> {
        let done = files::save(self.language(), &self.record(), path, replace)?;
        self.tell(&done)?;
        match self.resigned {
            Some(side) => {
                let side = self.language().side(self.session.side_name(side));
                self.tell_text("terminal.saved-unfinished", &[("side", &side)])
            }
            None => Ok(()),
        }
    }

    fn load(&mut self, path: &str) -> Result<Turn> {
        let (session, done) = files::load(self.language(), self.catalog, path)?;
        self.change_session(session, self.setup.clone())?;
        self.tell(&done)?;
        Ok(Turn::Changed)
    }

    /// Replaces the session, with new players.
    ///
    /// # Errors
    /// A player that cannot play the game; then nothing changes.
    fn change_session(&mut self, mut session: Session, setup: Setup) -> Result<(), TextError> {
        self.seats = setup.add_players(&mut session)?;
        self.clocks = Clocks::new(setup.budgets());
        (self.session, self.setup, self.resigned, self.hinted_at) = (session, setup, None, None);
        Ok(())
    }

    /// Prints the rules, the board with the names of the moves, and the commands.
    fn help(&mut self) -> Result<()> {
        if let Some(rules) = game_words::rules(self.language(), &self.session) {
            self.tell(&rules)?;
        }
        if let Some(drawing) = board::paint_moves(&self.session, self.terminal.ascii).filter(|_| !self.is_over()) {
            let title = self.say("terminal.example", &[]);
            write!(self.terminal.out, "{title}\n{drawing}")?;
        }
        let spec = self.session.spec();
        let mut families = self.catalog.families().iter().map(|family| family.spec(""));
        let game = families.find(|other| !spec.starts_with(other)).unwrap_or_else(|| spec.clone());
        self.tell_text("terminal.help", &[])?;
        for (command, key) in LISTED {
            let (command, text) = (self.command_name(command), self.say(key, &[("game", &game)]));
            let blanks = " ".repeat(COMMAND_COLUMNS.saturating_sub(display_width(&command)));
            self.tell(&format!("  {command}{blanks} {text}"))?;
        }
        Ok(())
    }

    /// A listed command as it is typed; a move has no word of its own.
    fn command_name(&self, listed: &str) -> String {
        if listed == LISTED[0].0 { self.say("terminal.help.a-move", &[]) } else { listed.to_owned() }
    }

    fn shows_names(&self) -> bool {
        self.shown.names.unwrap_or_else(|| self.usually_shows_names())
    }

    /// On a board of edges nothing else can be typed.
    fn usually_shows_names(&self) -> bool {
        self.setup.has_person() && self.session.picture().is_some_and(|picture| picture.edges.is_some())
    }

    fn show_board(&mut self) -> Result<()> {
        let ascii = self.terminal.ascii;
        let named = self.shows_names().then(|| board::paint_moves(&self.session, ascii)).flatten();
        let drawn = named.unwrap_or_else(|| board::paint_session(&self.session, ascii));
        write!(self.terminal.out, "\n{drawn}")?;
        match words::score(self.language(), &self.session, self.setup.only_person(), ascii) {
            Some(score) => self.tell(&score),
            None => Ok(()),
        }
    }

    fn show_result(&mut self) -> Result<()> {
        self.tell(&words::outcome(self.language(), &self.session, self.setup.only_person(), self.resigned))?;
        match self.setup.has_person() {
            true => self.tell_text("terminal.after", &[]),
            false => Ok(()),
        }
    }

    /// The command that resumes this game, in two lines; empty if it has no moves or is over.
    fn farewell(&self) -> String {
        let moves = self.session.history();
        if self.is_over() || moves.is_empty() {
            return String::new();
        }
        let place = match self.session.opening() {
            Some(_) => format!(" --position \"{}\"", self.session.position()),
            None => format!(" --moves \"{}\"", moves.join(" ")),
        };
        let [first, second] = &self.setup.participants;
        let shown = [
            self.shown.names.map_or("", |names| if names { " --names on" } else { " --names off" }),
            if self.shown.thinking { " --show-thinking" } else { "" },
        ];
        let game = self.session.spec();
        format!(
            "{}\n  {} play {game}{place} --first {first} --second {second} --budget {}{}{}\n",
            self.say("terminal.resume", &[]),
            program(),
            self.setup.budget,
            shown.concat(),
            self.shown.language.as_option(),
        )
    }
}
