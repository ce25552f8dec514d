// Types of banyan-games. Values are expected results from -1 (certain loss) to 1 (certain win), margins are points of the final margin; both
// are seen by the side to move unless stated otherwise. Times are in milliseconds.

/** A game by name, with its board and options: `reversi`, `connect-four:10x11,hole=d3`, `dots-and-boxes:5x5`. */
export type GameSpec = string;

/** A move as text: `4`, `f5`, `h0,1`. */
export type Move = string;

/** A position: a game at its start, or a game with moves, from its start or from another first position. */
export type Spot = GameSpec | { game: GameSpec; position?: string | null; moves?: readonly Move[] };

/** The first side is 0, the second one 1. */
export type SideNumber = 0 | 1;
export type SideName = 'first' | 'second';

/**
 * Loads the engine. Every other function does this by itself; call it to load ahead, or to read the files of the package (`banyan_wasm_bg.wasm`
 * and, before the first search on the 8x8 board of Reversi, `*.weights`) in another way than from the folder of the package.
 */
export function init(options?: { read?: (name: string) => Promise<ArrayBuffer | Uint8Array> }): Promise<void>;

/** Games, players and levels. */
export function about(): Promise<About>;

/** The legal moves; none if the game is over. */
export function legalMoves(spot: Spot): Promise<Move[]>;

/** The position with its board, the legal moves with their effects, and the result. */
export function state(spot: Spot): Promise<State>;

/**
 * The position with these cells: rows from the top, separated by `/`, of `X`, `O`, `.` and `#`. `to_move` is found by the cells unless given.
 */
export function edit(edited: { game: GameSpec; cells: string; to_move?: SideNumber | null }): Promise<string>;

/** The games and positions in a text or a file, in every form that Banyan reads: moves, PGN, links, GGF, WTHOR, diagrams and others. */
export function importGames(file: string | File): Promise<Imported>;

/** A file of games: its text, or its bytes in base64. */
export interface File {
  text?: string;
  base64?: string;
  name?: string;
  /** The board, for moves that do not show it. */
  game?: GameSpec;
}

/** The game in every written form that can express it. */
export function exportGame(spot: Spot, options?: { players?: readonly [string, string] }): Promise<WrittenForm[]>;

/** The board as SVG; `structure` marks chains, loops and other parts. */
export function drawing(spot: Spot, options?: { structure?: boolean }): Promise<string>;

/**
 * Analyses a position. `budget` is `1s` unless given: a time, `playouts=N`, `nodes=N`, `depth=N`, or `infinite` if `signal` or `onProgress` ends
 * it. `onProgress` gets the analysis so far, at most ten times in a second; if it returns `false`, the analysis ends with what it has found. A
 * Monte Carlo player (`mcgs`, `graph`, `uct`) lets other work have its turn every 25 ms; other players hold the thread until their result, and
 * are aborted from within `onProgress` only.
 */
export function analyse(spot: Spot, options?: AnalysisOptions): Promise<Analysis>;

/** Chooses a move: `best` of the analysis. `budget` is `1s` unless given, and must end the search; `level-1` to `level-10` are weaker players. */
export function chooseMove(spot: Spot, options?: SearchOptions<Analysis>): Promise<Analysis>;

/** Proves the exact value of a position and of its moves, as far as the budget allows: `10s` unless given. It holds the thread. */
export function solve(spot: Spot, options?: { budget?: string } & Listening<Solving>): Promise<Solution>;

/** Reviews the game that leads to a position: the loss of every move. `budget` is for each position, `500ms` unless given. */
export function review(spot: Spot, options?: ReviewOptions): Promise<Review>;

/** Follows and ends a search. */
export interface Listening<Progress> {
  /** Aborts the search, which then fails with `code: 'aborted'`. */
  signal?: { readonly aborted: boolean; readonly reason?: unknown };
  /** Receives intermediate results; `false` ends the search with its result so far. */
  onProgress?: (progress: Progress) => unknown;
}

export interface SearchOptions<Progress> extends Listening<Progress> {
  /** A player, with settings if wanted: `mcgs`, `uct:c=0.7`, `level-3`. `best` unless given. */
  player?: string;
  budget?: string;
  /** 1 unless given: the same seed and a budget in playouts, nodes or depth give the same result on every machine. */
  seed?: number;
  /** Names the player with its tree, which the next search with the same name continues in the same game. One tree is kept. */
  keep?: string;
}

export interface AnalysisOptions extends SearchOptions<Analysis> {
  /** The number of moves, the best ones, to which alpha-beta gives a value instead of a bound; all unless given. */
  lines?: number | 'all';
}

export interface ReviewOptions extends Listening<ReviewProgress> {
  player?: string;
  budget?: string;
  /** Names of the players, the first side's first. */
  players?: readonly [string, string];
  /** Moves at the beginning that no player chose, and that are not reviewed. */
  opening_plies?: number;
}

/** A request that was refused: `message` is one line with what was found, what was expected, and what to do. */
export class BanyanError extends Error {
  /** For programs: `invalid-game`, `invalid-moves`, `invalid-budget`, `invalid-player`, `aborted`, `not-loaded` and others. */
  readonly code: string;
  /** The field of the request at fault, if it is a single one. */
  readonly field: string | undefined;
}

export interface State {
  /** The game in its shortest form. */
  game: GameSpec;
  title: string;
  position: string;
  /** The first position, unless it is the start of the game. */
  start: string | null;
  /** `null` if the game is over. */
  to_move: SideNumber | null;
  ply: number;
  moves: PlayedMove[];
  legal: LegalMove[];
  result: Result | null;
  /** The name of the opening. */
  opening: string | null;
  /** Points of both sides, in games with points. */
  points: [number, number] | null;
  /** `null` for a board that cannot be drawn. */
  picture: Picture | null;
  /** The structure of the position in Dots and Boxes. */
  structure: Structure | null;
}

export interface PlayedMove {
  move: Move;
  side: SideNumber;
  /** Number of the move in OpenSpiel, in Dots and Boxes. */
  id?: number;
  /** Points of both sides after it, in games with points. */
  points?: [number, number];
}

export interface LegalMove {
  move: Move;
  /** Its place on the board; `null` for a pass. */
  at: { cell: [row: number, column: number] } | { edge: number } | { column: number } | null;
  /** The cells that change: row, column, new owner. */
  after: { cells: [row: number, column: number, owner: SideNumber][] };
}

export interface Result {
  /** `null` for a draw. */
  winner: SideNumber | null;
  /** Seen by the first side. */
  margin: number;
  text: string;
}

/** Cells row by row from the top; edges of Dots and Boxes, the horizontal ones row by row, then the vertical ones. */
export interface Picture {
  rows: number;
  columns: number;
  cells: Cell[];
  edges: Edge[] | null;
  column_labels: string[];
  row_labels: string[];
}

export interface Cell {
  /** Its owner. */
  o?: SideNumber;
  hole?: 1;
  last?: 1;
  win?: 1;
  legal?: 1;
}

export interface Edge {
  drawn?: 1;
  last?: 1;
}

export interface Structure {
  facts: { name: string; number: number | null; text: string }[];
  parts: { kind: string; label?: string; note?: string; cells: number[]; moves: Move[] }[];
}

export interface Imported {
  /** The first 1000 games. */
  records: ImportedGame[];
  /** Number of all games. */
  of: number;
}

export interface ImportedGame {
  title: string;
  game: GameSpec;
  position: string | null;
  moves: Move[];
  players: [string, string] | null;
  /** The final margin, seen by the first side; `null` if the game is not over. */
  result: number | null;
  opening_plies: number;
  /** The mistake before which the moves end. */
  broken?: string;
  /** The part of an address of the page behind `#`. */
  link?: string;
}

export interface WrittenForm {
  /** `moves`, `transcript`, `pgn`, `position`, `saved`, `ggf`, `ccgc`. */
  form: string;
  /** Of a file with this text. */
  extension: string;
  text: string;
}

/** Bounds of the final margin. */
export interface Proof {
  lower: number;
  upper: number;
}

export interface Analysis {
  v: 1;
  game: GameSpec;
  position: string;
  to_move: SideName;
  /** The move chosen; `null` if the game is over. */
  best: Move | null;
  value: number;
  /** The expected final margin, by alpha-beta. */
  margin?: number;
  proof: Proof | null;
  /** The moves of the winner until the end, if proven, in Connect Four. */
  ends_in?: number;
  playouts: number;
  /** The last depth that alpha-beta finished. */
  depth?: number;
  nodes: number;
  /** The share of the tree before that was continued. */
  reused: number;
  elapsed_ms: number;
  cpu_ms: number;
  memory_bytes: number;
  book?: boolean;
  /** The principal variation, beginning with `best`. */
  pv: Move[];
  /** The moves, best first. */
  moves: AnalysedMove[];
  structure?: Structure;
  opening?: string;
  /** Playouts per second, or positions of alpha-beta. */
  rate: number;
}

export interface AnalysedMove {
  move: Move;
  id?: number;
  visits: number;
  value?: number;
  margin?: number;
  /** Upper bounds, if alpha-beta gives no value. */
  at_most?: { value: number; margin?: number };
  proof: Proof | null;
  ends_in?: number;
  pv: Move[];
}

export interface Solving {
  nodes: number;
  elapsed_ms: number;
  proof: Proof | null;
}

export interface Solution {
  v: 2;
  game: GameSpec;
  position: string;
  to_move: SideName;
  /** The final margin under best play; `null` while it is not proven. */
  margin: number | null;
  lower: number;
  upper: number;
  /** The moves that are proven to reach it. */
  best: Move[];
  moves: SolvedMove[];
  /** The principal variation, up to the first move that was not proven; empty while the margin is not proven, and from `solve`. */
  pv: Move[];
  nodes: number;
  elapsed_ms: number;
  memory_bytes: number;
  /** The book of exact values that has the position, in words; absent if none has. */
  book?: string;
}

export interface SolvedMove {
  move: Move;
  margin: number | null;
  lower: number;
  upper: number;
}

export interface ReviewProgress {
  done: number;
  of: number;
  review: Review;
}

export interface Review {
  v: 1;
  game: GameSpec;
  position: string;
  players: [string, string] | null;
  sides: [string, string];
  reviewer: string;
  budget: string;
  /** Of losses: points of the final margin, or the expected share of the point in percent. */
  unit: 'points' | 'percent';
  plies: number;
  opening_plies: number;
  result: number | null;
  opening?: string;
  complete: boolean;
  moves: ReviewedMove[];
  summary: [ReviewedSide, ReviewedSide];
  elapsed_ms: number;
}

/** Values are seen by the side that made the move. */
export interface ReviewedMove {
  ply: number;
  position: string;
  to_move: SideName;
  move: Move;
  choices: number;
  before: Valuation;
  after: Valuation;
  loss: number;
  /** Whether the loss is proven. */
  exact: boolean;
  loss_percent: number;
  /** An inaccuracy, a mistake, a blunder. */
  mark: '?!' | '?' | '??' | null;
  best: Move;
  pv: Move[];
  reasons?: Reason[];
}

export interface Valuation {
  value: number;
  margin: number | null;
  proof: Proof | null;
}

export interface Reason {
  kind: string;
  side: SideName;
  names?: Record<string, string>;
  numbers?: Record<string, number>;
  cells?: number[];
  edges?: number[];
  line?: Move[];
}

export interface ReviewedSide {
  side: SideName;
  moves: number;
  choices: number;
  best: number;
  mean_loss: number | null;
  /** In percent. */
  accuracy: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** The ply of the worst move. */
  worst: number | null;
}

export interface About {
  version: string;
  games: GameInfo[];
  players: PlayerInfo[];
  levels: { game: string; name: string; fact: string }[];
  /** Other programs, which do not run here. */
  engines: [];
  limits: { threads: number; memory_mib: number };
}

export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  /** The default board. */
  spec: GameSpec;
  rules: string;
  /** Of margins. */
  unit: { one: string; many: string; to_spare: boolean };
  sides: [string, string];
  best: string;
  evidence: string;
  sizes: { rows: [number, number]; columns: [number, number]; step: number; square: boolean; holes: boolean } | null;
  default_size: [rows: number, columns: number] | null;
  style: 'stones' | 'drop' | 'discs' | 'boxes';
  structure: boolean;
  /** Moves to a position worth showing. */
  sample: Move[];
  players: { name: string; published: boolean }[];
}

export interface PlayerInfo {
  v: 1;
  player: string;
  summary: string;
  settings: Setting[];
  levels?: { game: string; level: number; plays: string; elo: number; beats_previous: number | null }[];
}

export interface Setting {
  name: string;
  default: string;
  kind: 'real' | 'whole' | 'schedule' | 'weights' | 'name' | 'choice';
  off: boolean;
  min: number | null;
  max: number | null;
  step: number | null;
  words: string[];
  help: string;
  source: string;
  experimental: boolean;
}
