// Requests of all kinds on all games and sizes, with budgets in playouts, nodes or plies.

/** Boards of every word of each game, with the numbers of random moves after which requests are made. */
const BOARDS = [
  ['connect-four:4x4', [0, 9]],
  ['connect-four:4x5', [5]],
  ['connect-four:6x7', [0, 9, 30]],
  ['connect-four:7x9,hole=e4', [11]],
  ['connect-four:12x13', [20]],
  ['connect-four:13x14,hole=g7', [0, 60]],
  ['connect-four:15x16,hole=a1,hole=h8', [30]],
  ['reversi:4x4', [0, 6]],
  ['reversi:4x6', [5]],
  ['reversi:6x6', [0, 20]],
  ['reversi:8x8', [0, 20, 50]],
  ['reversi:8x8,count=discs', [46]],
  ['reversi:8x10', [12]],
  ['reversi:10x10', [0, 70]],
  ['dots-and-boxes:1x1', [1]],
  ['dots-and-boxes:2x2', [0, 5]],
  ['dots-and-boxes:2x5', [9]],
  ['dots-and-boxes:3x3', [0, 6]],
  ['dots-and-boxes:4x4', [20]],
  ['dots-and-boxes:5x5', [0, 24, 45]],
  ['dots-and-boxes:4x7', [20]],
  ['dots-and-boxes:6x6', [30]],
  ['dots-and-boxes:7x7', [0, 80]],
  ['dots-and-boxes:9x9', [40]],
  // Boards of 9 to 12 rows and columns with a hole, as in published experiments.
  ...[9, 10, 11, 12].flatMap((rows) =>
    [9, 10, 11, 12].map((columns) => [`connect-four:${rows}x${columns},hole=${'abcdefgh'[columns - 5]}${rows - 6}`, [rows]]),
  ),
];

/** Searches, of which each position gets a few in turn. */
const SEARCHES = [
  { player: 'uct', budget: 'playouts=2000' },
  { player: 'mcgs', budget: 'playouts=1500' },
  { player: 'pvs', budget: 'nodes=10000', lines: 1 },
  { player: 'best', budget: 'nodes=2000' },
  { player: 'graph', budget: 'playouts=2000' },
  { player: 'mtdf', budget: 'depth=3' },
  { player: 'level-4', budget: 'playouts=100' },
  { player: 'pvs', budget: 'nodes=10000', lines: 3 },
  { player: 'solver', budget: 'nodes=10000' },
  { player: 'greedy', budget: 'playouts=1' },
  { player: 'mcgs:batch=16', budget: 'nodes=1000' },
  { player: 'uct:c=0.7,structure=graph,memory-mib=1', budget: 'playouts=2000' },
  { player: 'pvs', budget: 'depth=3' },
];
const SEARCHES_OF_EACH = 3;

/** The boards of each game on which all of its players move. */
const ALL_PLAYERS = ['connect-four', 'connect-four:9x10,hole=d3', 'reversi', 'reversi:6x6', 'dots-and-boxes', 'dots-and-boxes:3x3'];

const start = (game) => ({ game, position: null, moves: [] });

/** Refused requests. */
const REFUSED = [
  ['nothing', {}],
  ['state', {}],
  ['state', start('go')],
  ['state', start('connect-four:3x3')],
  ['state', start('connect-four:16x17')],
  ['state', start('connect-four:6x7,hole=z9')],
  ['state', start('reversi:5x5')],
  ['state', start('reversi:12x12')],
  ['state', start('reversi:8x8,count=none')],
  ['state', start('dots-and-boxes:0x3')],
  ['state', start('dots-and-boxes:9x10')],
  ['state', { ...start('connect-four'), moves: ['4', '9'] }],
  ['state', { ...start('reversi'), moves: ['a1'] }],
  ['state', { ...start('dots-and-boxes:2x2'), moves: ['h0,0', 'h0,0'] }],
  ['state', { ...start('reversi'), position: 'xo x' }],
  ['edit', { game: 'connect-four:4x4', cells: '....', to_move: null }],
  ['edit', { game: 'connect-four:4x4', cells: 'X.../..../..../....', to_move: 2 }],
  ['import', { text: 'hello', game: null }],
  ['import', { base64: '%', name: 'a.wtb' }],
  ['import', { text: 'f5 d6 c4' }],
  ['export/text', { ...start('reversi'), moves: ['e1'], players: ['', ''] }],
  ['analysis', { spot: start('reversi:6x6'), player: 'nobody', budget: 'nodes=10' }],
  ['analysis', { spot: start('reversi:6x6'), player: 'uct:c=-1', budget: 'nodes=10' }],
  ['analysis', { spot: start('reversi:6x6'), player: 'mcgs:threads=4', budget: 'nodes=10' }],
  ['analysis', { spot: start('reversi:6x6'), player: 'uct', budget: 'plenty' }],
  ['analysis', { spot: start('reversi:6x6'), player: 'pvs', budget: 'playouts=10' }],
  ['move', { spot: start('reversi:6x6'), player: 'uct', budget: 'infinite' }],
  ['move', { spot: start('connect-four'), player: 'uct-dots-study', budget: 'playouts=10' }],
  ['solve', { spot: start('reversi:6x6'), budget: 'playouts=10' }],
  ['review', { spot: start('reversi:6x6'), player: 'uct', budget: 'playouts=10' }],
];

/** The spot after `n` random moves, chosen with a small linear congruence. */
function played(ask, game, n) {
  const spot = start(game);
  for (let number = 7; spot.moves.length < n; number = (number * 1103515245 + 12345) % 2147483648) {
    const { legal } = ask('state', spot);
    if (legal.length === 0) break;
    spot.moves.push(legal[(number >> 8) % legal.length].move);
  }
  return spot;
}

/** The cells of a picture, as an edited position has them; `null` for a board with edges. */
function cells({ picture }) {
  if (!picture || picture.edges) return null;
  const of = ({ o, hole }) => (hole ? '#' : o === undefined ? '.' : 'XO'[o]);
  const rows = Array.from({ length: picture.rows }, (_, row) => picture.cells.slice(row * picture.columns, (row + 1) * picture.columns));
  return rows.map((row) => row.map(of).join('')).join('/');
}

/** Requests for the board of a spot: its state, drawing and texts, and one of the texts read again. */
function* aboutTheBoard(ask, spot, number) {
  yield ['state', spot];
  yield ['export/svg', { ...spot, structure: number % 2 === 0 }];
  const written = { ...spot, players: ['one', 'other'] };
  yield ['export/text', written];
  // Some texts are empty before the first move.
  const texts = ask('export/text', written).forms.map(({ text }) => text).filter(Boolean);
  const text = texts[number % texts.length];
  yield ['import', { text, game: spot.game }];
  const state = ask('state', spot);
  if (cells(state)) yield ['edit', { game: spot.game, cells: cells(state), to_move: state.to_move }];
}

/** Searches at a spot, and a review of the beginning of its game. */
function* searches(spot, number) {
  for (let i = 0; i < SEARCHES_OF_EACH; i += 1) {
    yield ['analysis', { spot, ...SEARCHES[(number * SEARCHES_OF_EACH + i) % SEARCHES.length], seed: 5 }];
  }
  yield ['move', { spot, budget: 'nodes=1000' }];
  if (number % 2 === 0) yield ['solve', { spot, budget: 'nodes=10000' }];
  if (number % 3 === 0 && spot.moves.length > 3) {
    yield ['review', { spot: { ...spot, moves: spot.moves.slice(0, 4) }, player: 'uct', budget: 'playouts=100', players: ['one', 'other'] }];
  }
}

/** Moves of all players and levels on some boards of each game; where a player does not play, it is refused. */
function* allPlayers({ games, levels }) {
  for (const board of ALL_PLAYERS) {
    const { name, players } = games.find((game) => game.name === board.split(':')[0]);
    const ofGame = levels.filter((level) => level.game === name);
    for (const player of [...players, ...ofGame]) {
      const budget = ['random', 'greedy'].includes(player.name) || ofGame.includes(player) ? 'playouts=100' : 'nodes=500';
      yield ['move', { spot: start(board), player: player.name, budget, seed: 3 }];
    }
  }
}

/** All requests; `ask(name, body)` gives the parsed answer to those from which others are made. With `deep`, larger budgets too. */
export function* requests(ask, deep) {
  yield ['about', {}];
  let number = 0;
  for (const [game, lengths] of BOARDS) {
    for (const n of lengths) {
      const spot = played(ask, game, n);
      yield* aboutTheBoard(ask, spot, number);
      yield* searches(spot, number);
      if (deep) {
        for (const { player, budget, ...more } of SEARCHES) {
          yield ['analysis', { spot, player, budget: budget.replace(/^(playouts|nodes)=\d+$/, '$&0'), ...more, seed: 6 }];
        }
      }
      number += 1;
    }
  }
  yield* allPlayers(ask('about', {}));
  yield* REFUSED;
}
