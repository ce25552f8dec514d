/** Engine players: they answer when a move was made on the page. */

import { Emitter } from './dom.js';
import { Refused, events, isAbort } from './api.js';

/** @import { Analysis, Side, Spot, State } from './types.js' */
/** @import { Game } from './game.js' */

/** Budget of a move if the game names none. */
export const USUAL_BUDGET = '1s';
/** Pause before a move that was refused, because too many searches run, is requested again. */
const RETRY_MS = 1000;

/** Events: `phase`, `queue`, `begins` after a time in the queue. */
export class Opponent extends Emitter {
  /** In the queue of a server whose searches all run. */
  place = /** @type {{ place: number, of: number } | null} */ (null);
  thinking = false;
  /** The side to move in its search. @type {Side | null} */
  side = null;
  message = '';
  #abort = new AbortController();

  /**
   * @param {Game} game
   * @param {(side: Side) => string | null} clock the remaining time of a clock, as a budget
   * @param {boolean} answers whether it moves by itself when it is its turn
   */
  constructor(game, clock, answers) {
    super();
    this.game = game;
    this.clock = clock;
    if (answers) game.on('played', ({ state }) => this.answer(state));
    game.on('moved', () => this.thinking && this.cancel());
  }

  /**
   * Moves if it is its turn.
   * @param {State} state
   */
  answer(state) {
    const side = state.to_move;
    const player = side === null ? '' : this.game.players[side];
    if (side !== null && player) void this.move(player, this.game.budget);
  }

  cancel() {
    this.#abort.abort();
    this.message = '';
    this.#set(false);
  }

  /**
   * Has a player move at the cursor. It counts as thinking until its move is on the board, so that no click moves for it
   * meanwhile.
   * @param {string} player
   * @param {string} budget
   */
  async move(player, budget) {
    const abort = this.#begin();
    const best = await this.#think(player, budget, this.#here(), abort.signal);
    try {
      if (best && !abort.signal.aborted) await this.game.play(best);
    } catch (err) {
      this.message = messageOf(err);
    }
    // The move itself ends its search, and may begin the next one.
    if (this.#abort === abort && !abort.signal.aborted) this.#set(false);
  }

  /**
   * The move of a player, by default at the cursor.
   * @param {string} player
   * @param {string} budget
   * @param {{ spot: Spot, side: Side | null }} [at]
   */
  async suggest(player, budget, at = this.#here()) {
    const abort = this.#begin();
    const best = await this.#think(player, budget, at, abort.signal);
    if (abort.signal.aborted) return null;
    this.#set(false);
    return best;
  }

  #here() {
    return { spot: this.game.spot(), side: this.game.state?.to_move ?? null };
  }

  /** Ends the search that runs, for another one. */
  #begin() {
    this.cancel();
    this.#abort = new AbortController();
    return this.#abort;
  }

  /**
   * @param {string} player
   * @param {string} budget
   * @param {{ spot: Spot, side: Side | null }} at
   * @param {AbortSignal} signal
   * @returns {Promise<string | null>}
   */
  async #think(player, budget, at, signal) {
    const { spot, side } = at;
    this.side = side;
    this.place = null;
    this.#set(true);
    const left = side === null ? null : this.clock(side);
    const [name = player, own] = player.split('@');
    const request = { spot, player: name, budget: left ?? own ?? (budget || USUAL_BUDGET), seed: Math.floor(Math.random() * 1e9) };
    /** @type {string | null} */
    let best = null;
    try {
      await events('api/move', request, signal, (event, data) => {
        if (event === 'waiting') {
          this.place = data;
          this.emit('queue');
        } else if (this.place) {
          this.place = null;
          this.emit('begins');
        }
        if (event === 'done') best = /** @type {Analysis} */ (data).best;
      });
    } catch (err) {
      if (signal.aborted || isAbort(err)) return null;
      if (err instanceof Refused && err.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        return signal.aborted ? null : this.#think(player, budget, at, signal);
      }
      this.message = messageOf(err);
    }
    return best;
  }

  /** @param {boolean} thinking */
  #set(thinking) {
    this.thinking = thinking;
    this.emit('phase');
  }
}

/** @param {unknown} err */
function messageOf(err) {
  return err instanceof Refused && err.status === 0 ? 'offline' : err instanceof Error ? err.message : String(err);
}
