/** The search that runs while the user looks at a position. */

import { Emitter } from './dom.js';
import { Refused, events, get, isAbort, post } from './api.js';
import { t } from './i18n.js';
import { change, settings } from './settings.js';
import { countsMargins } from './games.js';
import { inOrder } from './words.js';

/** @import { Analysis } from './types.js' */
/** @import { Game } from './game.js' */
/** @import { GameNode } from './tree.js' */

/** @typedef {'off' | 'thinking' | 'done' | 'proven' | 'over' | 'limit' | 'error' | 'offline'} Phase */

/** Pause before a search begins, so that stepping through a game starts none on the way. */
const PAUSE_MS = 80;
/** Pause before a search that was refused, because too many run, is requested again. */
const RETRY_MS = 2000;

/** Events: `phase`, `progress`. */
export class Analyst extends Emitter {
  /** @type {Phase} */
  phase = 'off';
  message = '';
  active = false;
  /** @type {string | null} id of the search on the server */
  id = null;
  /** @type {GameNode | null} */
  node = null;
  #abort = new AbortController();
  #keep = crypto.randomUUID?.() ?? String(Math.random());
  #timer = 0;

  /** @param {Game} game */
  constructor(game) {
    super();
    this.game = game;
    game.on('moved', () => this.#quit());
    game.on('state', () => this.#follow());
  }

  /**
   * Turns it on or off; the games that follow keep the choice.
   * @param {boolean} on
   */
  turn(on) {
    this.active = on;
    change({ engine: on });
    if (on) this.#follow(true);
    else this.stop();
    this.emit('phase');
  }

  /** Ends the search; its last result stays. */
  stop() {
    window.clearTimeout(this.#timer);
    this.#abort.abort();
    this.id = null;
    this.#enter('off');
  }

  /** Searches the position again, after a change of settings. */
  restart() {
    if (this.active) this.#follow(true);
  }

  /** Ends the search of a position that was left; the next one begins when the new position is known. */
  #quit() {
    if (!this.active || this.node === this.game.cursor) return;
    window.clearTimeout(this.#timer);
    this.#abort.abort();
    this.id = null;
    this.node = null;
  }

  /** @param {boolean} [again] */
  #follow(again = false) {
    if (!this.active || (!again && this.node === this.game.cursor && this.phase !== 'off')) return;
    window.clearTimeout(this.#timer);
    this.#abort.abort();
    this.id = null;
    if (this.game.state?.result) {
      this.node = this.game.cursor;
      this.#enter('over');
      return;
    }
    this.#enter('thinking');
    this.#timer = window.setTimeout(() => void this.#search(this.game.cursor), PAUSE_MS);
  }

  /** @param {GameNode} node */
  async #search(node) {
    const abort = new AbortController();
    this.#abort = abort;
    this.node = node;
    const request = { spot: this.game.spot(node), player: this.game.analyst, budget: budgetOf(settings.limit), seed: 1, keep: this.#keep };
    try {
      const { id } = await post('api/analysis', request, abort.signal);
      this.id = id;
      let first = true;
      await events(`api/analysis/${id}`, undefined, abort.signal, (event, data) => {
        if (abort.signal.aborted) return;
        if (event === 'waiting') {
          this.message = t('queue.place', data);
          this.#enter('limit');
        }
        if (event !== 'progress' && event !== 'done') return;
        if (this.phase === 'limit') this.#enter('thinking');
        /** @type {Analysis} */
        const analysis = data;
        this.game.keep(node, inOrder(analysis, countsMargins(this.game.spec)), first || event === 'done');
        first = false;
        if (event === 'done') this.#enter(isProven(analysis) ? 'proven' : 'done');
        else this.emit('progress');
      });
    } catch (err) {
      if (abort.signal.aborted || isAbort(err)) return;
      this.#fail(err);
    }
  }

  /** @param {unknown} err */
  #fail(err) {
    this.message = err instanceof Error ? err.message : String(err);
    const status = err instanceof Refused ? err.status : -1;
    this.#enter(status === 429 ? 'limit' : status === 0 ? 'offline' : 'error');
    if (status === 429 || status === 0) this.#timer = window.setTimeout(() => this.restart(), RETRY_MS);
  }

  /** @param {Phase} phase */
  #enter(phase) {
    this.phase = phase;
    this.emit('phase');
  }

  /** @param {number} nodes */
  async tree(nodes) {
    return this.id === null ? null : get(`api/analysis/${this.id}/tree?nodes=${nodes}`);
  }

  /**
   * Changes the player or the limit.
   * @param {Partial<typeof settings>} changes
   */
  configure(changes) {
    change(changes);
    const { analyst, overlay } = changes;
    if (analyst || overlay) this.game.lookAt({ ...(analyst && { analyst }), ...(overlay && { overlay }) });
    this.restart();
    this.emit('phase');
  }
}

/**
 * Whether the winner is proven.
 * @param {Analysis} analysis
 */
export function isProven(analysis) {
  const proof = analysis.proof;
  return proof !== null && (proof.lower === proof.upper || proof.lower > 0 || proof.upper < 0);
}

/**
 * The budget in the server's notation for a limit of the page: `time:10`, `visits:100000`, `infinite`.
 * @param {string} limit
 */
export function budgetOf(limit) {
  const [kind, amount = ''] = limit.split(':');
  if (kind === 'time') return `${amount}s`;
  return kind === 'visits' ? `nodes=${amount}` : 'infinite';
}
