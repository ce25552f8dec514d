/** The game on the page: its tree, the current node (the cursor), and the known facts about its positions. */

import { Emitter } from './dom.js';
import { post } from './api.js';
import { following, lineThrough, mainLine, movesTo, pathTo } from './tree.js';
import { settings } from './settings.js';
import { writeGame } from './spot.js';

/** @import { Analysis, Review, Spot, State } from './types.js' */
/** @import { GameNode, Tree } from './tree.js' */
/** @import { GameAddress } from './spot.js' */

/**
 * Events: `moved` (another node, or a new move), `state` (the board of the cursor was loaded), `played` (a move was
 * just made), `result` (new search result of a node), `tree` (variations changed), `review`, `look` (another analyst or
 * overlay).
 */
export class Game extends Emitter {
  /** @type {Map<number, State>} */
  #states = new Map();
  /** @type {Map<number, Promise<State>>} */
  #loading = new Map();
  /** The side of each move, and the points after it where the game has them. @type {Map<number, State['moves'][number]>} */
  #played = new Map();
  /**
   * Moves that were taken back, with the alternatives to them, by the node where they followed; `main`: of the main line.
   * They are not in the tree until a step forward or another move at that node brings them back.
   * @type {Map<GameNode, { main: boolean, children: GameNode[] }>}
   */
  #takenBack = new Map();
  /** @type {Map<number, Analysis>} */
  #results = new Map();
  /** @type {{ review: Review, line: GameNode[], done: boolean } | null} */
  review = null;

  /** @param {GameAddress} address */
  constructor(address) {
    super();
    this.spec = address.game;
    this.position = address.position;
    /** @type {Tree} */
    this.tree = address.tree;
    this.cursor = address.cursor;
    this.players = address.players;
    this.budget = address.budget;
    this.look = { analyst: address.analyst ?? '', overlay: address.overlay ?? '' };
    this.opening = address.opening ?? 0;
  }

  get address() {
    return writeGame({ ...this, ...this.look, game: this.spec });
  }

  /** The analysing player: that of the address, or else of the settings. */
  get analyst() {
    return this.look.analyst || settings.analyst;
  }

  /** The overlay on the board: that of the address, or else of the settings. */
  get overlay() {
    return this.look.overlay || settings.overlay;
  }

  /**
   * Sets another analyst or overlay for this game.
   * @param {{ analyst?: string, overlay?: string }} look
   */
  lookAt(look) {
    this.look = { ...this.look, ...look };
    this.emit('look');
  }

  /** @param {GameNode} [node] */
  spot(node = this.cursor) {
    return /** @type {Spot} */ ({ game: this.spec, position: this.position, moves: movesTo(node) });
  }

  /** The state of the cursor, if it is loaded. */
  get state() {
    return this.#states.get(this.cursor.id) ?? null;
  }

  /** @param {GameNode} node */
  stateOf(node) {
    return this.#states.get(node.id) ?? null;
  }

  /** @param {GameNode} node */
  sideOf(node) {
    return this.#played.get(node.id)?.side ?? null;
  }

  /**
   * The points of both sides after a move; `null` in games without points.
   * @param {GameNode} node
   */
  pointsOf(node) {
    return this.#played.get(node.id)?.points ?? null;
  }

  /**
   * @param {GameNode} node
   * @returns {Promise<State>}
   */
  load(node) {
    const known = this.#states.get(node.id);
    if (known) return Promise.resolve(known);
    const running = this.#loading.get(node.id);
    if (running) return running;
    const request = post('api/state', this.spot(node))
      .then((/** @type {State} */ state) => {
        this.#states.set(node.id, state);
        pathTo(node).slice(1).forEach((step, i) => {
          const played = state.moves[i];
          if (played) this.#played.set(step.id, played);
        });
        return state;
      })
      .finally(() => this.#loading.delete(node.id));
    this.#loading.set(node.id, request);
    return request;
  }

  /**
   * Shows another position.
   * @param {GameNode} node
   */
  async goTo(node) {
    for (const step of pathTo(node)) if (step.parent && !step.parent.children.includes(step)) this.#restore(step.parent);
    this.cursor = node;
    for (const step of pathTo(node)) if (step.parent) step.parent.recent = step;
    this.emit('moved');
    const known = this.#states.has(node.id);
    const state = await this.load(node);
    if (this.cursor === node) this.emit('state', { state, known });
    return state;
  }

  /**
   * Takes moves back to a node before the cursor: they leave the tree. A step forward restores them; once another move is
   * made at the node, they are a variation.
   * @param {GameNode} node
   */
  takeBack(node) {
    const taken = pathTo(this.cursor)[pathTo(node).length];
    if (taken) {
      this.#restore(node);
      const index = node.children.indexOf(taken);
      // Without its first move a place has no main line: the alternatives go too, so that none takes its place.
      const children = index === 0 ? node.children.splice(0) : node.children.splice(index, 1);
      this.#takenBack.set(node, { main: index === 0, children });
      node.recent = null;
    }
    const shown = this.goTo(node);
    if (taken) this.emit('tree');
    return shown;
  }

  /**
   * Brings moves that were taken back at a node into the tree again, behind those made there since.
   * @param {GameNode} node
   * @returns {{ main: boolean, children: GameNode[] } | null}
   */
  #restore(node) {
    const back = this.#takenBack.get(node);
    if (!back) return null;
    this.#takenBack.delete(node);
    node.children.push(...back.children);
    node.recent = back.children[0] ?? null;
    return back;
  }

  /** Brings all moves that were taken back into the tree again. */
  restoreAll() {
    for (const node of [...this.#takenBack.keys()]) this.#restore(node);
  }

  /**
   * Makes a move at the cursor, or follows it if it is already in the tree.
   * @param {string} move
   */
  async play(move) {
    const from = this.cursor;
    const grows = !from.children.some((child) => child.move === move);
    let node = this.tree.add(from, move);
    /** @type {State} */
    let state;
    try {
      state = await this.load(node);
    } catch (err) {
      if (grows) this.tree.remove(node);
      throw err;
    }
    // The user has moved the cursor meanwhile.
    if (this.cursor !== from) {
      if (grows) this.tree.remove(node);
      return state;
    }
    // The server has one notation for a move, which may already be in the tree.
    const written = state.moves.at(-1)?.move ?? move;
    const back = this.#restore(from);
    const same = from.children.find((child) => child !== node && child.move === written);
    if (same) {
      this.tree.remove(node);
      node = same;
    } else {
      node.move = written;
    }
    if (back?.main) this.tree.prefer(node);
    if (back || (grows && !same)) this.emit('tree');
    await this.goTo(node);
    this.emit('played', { node, state });
    return state;
  }

  /** @param {number} steps */
  step(steps) {
    let node = this.cursor;
    for (let n = steps; n < 0 && node.parent; n++) node = node.parent;
    let restored = false;
    for (let n = steps; n > 0; n--) {
      if (following(node) === null && this.#restore(node)) restored = true;
      node = following(node) ?? node;
    }
    if (node === this.cursor) return Promise.resolve(null);
    const shown = this.goTo(node);
    if (restored) this.emit('tree');
    return shown;
  }

  get line() {
    return lineThrough(this.cursor);
  }

  /** The game as it was played, whatever is shown. */
  get mainLine() {
    return mainLine(this.tree);
  }

  /** @param {GameNode} node */
  resultOf(node) {
    return this.#results.get(node.id) ?? null;
  }

  /**
   * Keeps a search result, unless a deeper one is known.
   * @param {GameNode} node
   * @param {Analysis} analysis
   * @param {boolean} replace
   */
  keep(node, analysis, replace) {
    const known = this.#results.get(node.id);
    const proven = known?.proof && known.proof.lower === known.proof.upper;
    if (!replace && known && (proven || known.nodes > analysis.nodes)) return;
    this.#results.set(node.id, analysis);
    this.emit('result', node);
  }

  /**
   * Value of a position for the first side, -1..1, and its margin if known.
   * @param {GameNode} node
   * @returns {{ value: number, margin: number | null, exact: boolean } | null}
   */
  valueOf(node) {
    const reviewed = this.#reviewedValue(node);
    const analysis = this.#results.get(node.id);
    const result = this.#states.get(node.id)?.result;
    if (result) return { value: Math.sign(result.margin), margin: result.margin, exact: true };
    if (reviewed?.exact || !analysis) return reviewed;
    const sign = analysis.to_move === 'first' ? 1 : -1;
    const proof = analysis.proof;
    const exact = proof !== null && (proof.lower === proof.upper || proof.lower > 0 || proof.upper < 0);
    const margin = proof && proof.lower === proof.upper ? proof.lower : analysis.margin ?? null;
    return { value: sign * analysis.value, margin: margin === null ? null : sign * margin, exact };
  }

  /** @param {GameNode} node */
  #reviewedValue(node) {
    const ply = this.review?.line.indexOf(node) ?? -1;
    if (!this.review || ply < 0) return null;
    const at = this.review.review.moves.find((mv) => mv.ply === ply + 1);
    const last = this.review.review.moves.find((mv) => mv.ply === ply);
    const [mv, value] = at ? [at, at.before] : last ? [last, last.after] : [null, null];
    if (!mv || !value) return null;
    const sign = mv.to_move === 'first' ? 1 : -1;
    const proof = value.proof;
    return {
      value: sign * value.value,
      margin: value.margin === null ? null : sign * value.margin,
      exact: proof !== null && (proof.lower === proof.upper || proof.lower > 0 || proof.upper < 0),
    };
  }

  /**
   * @param {Review} review
   * @param {GameNode[]} line
   * @param {boolean} done
   */
  setReview(review, line, done) {
    this.review = { review, line, done };
    this.emit('review');
  }

  /**
   * The review of the move that leads to a node.
   * @param {GameNode} node
   */
  reviewOf(node) {
    const ply = this.review?.line.indexOf(node) ?? -1;
    return ply > 0 ? this.review?.review.moves.find((mv) => mv.ply === ply) ?? null : null;
  }
}
