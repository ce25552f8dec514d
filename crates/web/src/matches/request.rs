//! Requested matches and sweeps, within the limits of the server.

use banyan_api::{Offer, Refusal};
use banyan_catalog::pairs::OpeningSpec;
use banyan_catalog::{BoardRange, Budget, GameTables};
use banyan_core::TextError;
use banyan_matches::sweep::{Entrants, Vary, with_values};
use banyan_matches::{Entrant, MatchConfig, MatchFormat, Quantity, SweepConfig};
use serde::Deserialize;

/// Maximum number of players of a match, values of a sweep included.
pub(crate) const MOST_PLAYERS: usize = 32;
/// Maximum number of pairs of a match, in all its pairings together.
pub(crate) const MOST_PAIRS: u64 = 100_000;
/// Default number of pairs.
const PAIRS: u64 = 100;

/// A requested match.
#[derive(Deserialize)]
pub(crate) struct MatchQuery {
    game: String,
    /// Players with their budgets: `mcgs`, `uct:c=0.5@playouts=500`.
    players: Vec<String>,
    #[serde(default)]
    pairs: Option<u64>,
    /// The budget of players without their own.
    #[serde(default)]
    budget: Option<String>,
    #[serde(default)]
    openings: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    /// Whether only the first player meets every other.
    #[serde(default)]
    gauntlet: bool,
}

/// A requested sweep.
#[derive(Deserialize)]
pub(crate) struct SweepQuery {
    game: String,
    player: String,
    /// One setting with its values, `c=0.2..2/10`, or two.
    vary: OneOrMore,
    #[serde(default)]
    against: Option<String>,
    #[serde(default)]
    pairs: Option<u64>,
    #[serde(default)]
    budget: Option<String>,
    #[serde(default)]
    openings: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// The common fields of matches and sweeps.
struct Frame<'a> {
    game: &'a str,
    pairs: Option<u64>,
    openings: Option<&'a str>,
    seed: Option<u64>,
}

impl MatchQuery {
    pub(crate) fn config(&self, offer: &Offer) -> Result<MatchConfig, Refusal> {
        let n = self.players.len();
        if !(2..=MOST_PLAYERS).contains(&n) {
            let err = TextError::new(format!("{n} players"), format!("expected 2 .. {MOST_PLAYERS}"), "change them");
            return Err(Refusal::in_field("players", &err));
        }
        let tables = tables(offer, &self.game)?;
        let budget = budget(self.budget.as_deref())?;
        let entrants = Entrant::list(&offer.players, &self.players, &budget);
        let entrants = entrants.map_err(|err| Refusal::in_field("players", &err))?;
        let players = within(offer, &tables, entrants)?;
        let format = if self.gauntlet { MatchFormat::Gauntlet } else { MatchFormat::RoundRobin };
        Frame { game: &self.game, pairs: self.pairs, openings: self.openings.as_deref(), seed: self.seed }
            .config(offer, format, None, players)
    }
}

impl SweepQuery {
    pub(crate) fn config(&self, offer: &Offer) -> Result<MatchConfig, Refusal> {
        let texts = match &self.vary {
            OneOrMore::One(text) => std::slice::from_ref(text),
            OneOrMore::More(texts) => texts,
        };
        let in_vary = |err: TextError| Refusal::in_field("vary", &err);
        let vary = texts.iter().map(|text| text.parse()).collect::<Result<Vec<Vary>, TextError>>().map_err(in_vary)?;
        let tables = tables(offer, &self.game)?;
        let opponent = self.against.as_deref().filter(|text| !text.is_empty()).unwrap_or(&self.player);
        let made = with_values(
            &offer.players,
            Some(&tables),
            [&self.player, opponent],
            &vary,
            &budget(self.budget.as_deref())?,
        );
        let Entrants { players, vary } = made.map_err(in_vary)?;
        if players.len() > MOST_PLAYERS {
            let err = TextError::new(
                format!("{} values", players.len() - 1),
                format!("expected at most {}", MOST_PLAYERS - 1),
                "take fewer",
            );
            return Err(in_vary(err));
        }
        let players = within(offer, &tables, players)?;
        let sweep = SweepConfig { quantity: Quantity::Score, refine: false, vary };
        Frame { game: &self.game, pairs: self.pairs, openings: self.openings.as_deref(), seed: self.seed }.config(
            offer,
            MatchFormat::Sweep,
            Some(sweep),
            players,
        )
    }
}

impl Frame<'_> {
    fn config(
        &self,
        offer: &Offer,
        format: MatchFormat,
        sweep: Option<SweepConfig>,
        players: Vec<Entrant>,
    ) -> Result<MatchConfig, Refusal> {
        let pairs = self.pairs.unwrap_or(PAIRS);
        if !(1..=MOST_PAIRS).contains(&pairs) {
            let err = TextError::new(format!("{pairs} pairs"), format!("expected 1 .. {MOST_PAIRS}"), "try 100");
            return Err(Refusal::in_field("pairs", &err));
        }
        let (game, openings) = self.board(offer)?;
        let config = MatchConfig {
            format,
            pairs,
            seed: self.seed.unwrap_or(1),
            sweep,
            ..MatchConfig::of(game, openings.to_string(), players)
        };
        let schedule = config.schedule().map_err(|err| Refusal::in_field("pairs", &err))?;
        if schedule.n_pairs().is_none_or(|n| n > MOST_PAIRS) {
            let (n, most) = (schedule.n_pairings(), MOST_PAIRS / schedule.n_pairings());
            let expected = format!("expected at most {most}, {MOST_PAIRS} in all");
            let err = TextError::new(format!("{pairs} pairs of {n} pairings"), expected, format!("try {most}"));
            return Err(Refusal::in_field("pairs", &err));
        }
        Ok(config)
    }

    /// The game with its board, or the range of boards, and the openings.
    fn board(&self, offer: &Offer) -> Result<(String, OpeningSpec), Refusal> {
        let openings = match self.openings.filter(|text| !text.is_empty()) {
            None => OpeningSpec::Balanced { plies: None },
            Some(text) => text.parse().map_err(|err| Refusal::in_field("openings", &err))?,
        };
        if matches!(openings, OpeningSpec::File(_)) {
            let err = TextError::new(openings.to_string(), "expected openings without a file", "try balanced");
            return Err(Refusal::in_field("openings", &err));
        }
        let in_game = |err: TextError| Refusal::in_field("game", &err);
        if BoardRange::parse(self.game).map_err(in_game)?.is_some() {
            return Ok((self.game.to_owned(), openings));
        }
        let game = offer.catalog.game(self.game).map_err(in_game)?;
        Ok((game.spec(), openings.resolved(game.usual_opening_plies())))
    }
}

fn tables(offer: &Offer, game: &str) -> Result<GameTables, Refusal> {
    match offer.catalog.tables(game) {
        Some(tables) => Ok(tables),
        // The error names the games.
        None => match offer.catalog.game(game) {
            Err(err) => Err(Refusal::in_field("game", &err)),
            Ok(_) => Ok(GameTables::with_presets(&[])),
        },
    }
}

fn budget(text: Option<&str>) -> Result<Budget, Refusal> {
    text.map_or(Ok(Budget::playouts(1000)), str::parse).map_err(|err| Refusal::in_field("budget", &err))
}

/// The players within the limits; they keep the names of the request.
pub(super) fn within(offer: &Offer, tables: &GameTables, entrants: Vec<Entrant>) -> Result<Vec<Entrant>, Refusal> {
    let capped = |entrant: Entrant| {
        let player = offer.players.player(&entrant.player)?.within(tables, &offer.caps)?;
        Ok(Entrant { player: player.to_string(), ..entrant })
    };
    entrants.into_iter().map(capped).collect::<Result<_, _>>().map_err(|err| Refusal::in_field("players", &err))
}
