/** Clocks of both sides, if the budget of a game is a clock such as `5m/game+inc=3s`. */

import { Emitter } from './dom.js';

/** @import { Side } from './types.js' */
/** @import { Game } from './game.js' */
/** @import { GameNode } from './tree.js' */

const UNITS = /** @type {Record<string, number>} */ ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 });

/**
 * Parses a budget with a clock, as the command line does: parts joined by `+`, in any order.
 * @param {string} budget
 * @returns {{ total: number, increment: number, others: string[] } | null} in milliseconds, with the other parts; `null` without a clock
 */
export function readClock(budget) {
  const clock = { total: 0, increment: 0, others: /** @type {string[]} */ ([]) };
  for (const part of budget.split('+').map((one) => one.trim())) {
    const total = part.endsWith('/game') ? readTime(part.slice(0, -'/game'.length)) : 0;
    const increment = /^inc\s*=/.test(part) ? readTime(part.slice(part.indexOf('=') + 1)) : 0;
    if (total === null || increment === null) return null;
    if (total > 0) clock.total = total;
    else if (increment > 0) clock.increment = increment;
    else clock.others.push(part);
  }
  return clock.total > 0 ? clock : null;
}

/**
 * `15m` in milliseconds; `null` if it is not a time.
 * @param {string} text
 */
function readTime(text) {
  const time = /^(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m|h)$/.exec(text.trim());
  return time ? Number(time[1]) * (UNITS[time[2] ?? ''] ?? 0) : null;
}

/**
 * `4:05`, with tenths below twenty seconds.
 * @param {number} ms
 */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 20_000) return `0:${(left / 1000).toFixed(1).padStart(4, '0')}`;
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Events: `tick`, `flag`. A clock runs at the last position played, and pauses while the user looks at another one. */
export class GameClock extends Emitter {
  /** @type {Side | null} */
  running = null;
  /** @type {Side | null} the side that lost on time */
  fallen = null;
  /** @type {Side | null} */
  #held = null;
  #since = 0;
  #timer = 0;
  /** @type {GameNode | null} */
  #at = null;

  /** @param {Game} game */
  constructor(game) {
    super();
    const terms = readClock(game.budget);
    this.terms = terms;
    this.left = [terms?.total ?? 0, terms?.total ?? 0];
    if (!terms) return;
    game.on('played', ({ node, state }) => this.#played(node, state.result ? null : state.to_move));
    game.on('moved', () => this.#pause());
    game.on('state', () => {
      if (game.cursor === this.#at) this.#run(game.state?.result ? null : game.state?.to_move ?? null);
    });
  }

  /**
   * @param {GameNode} node
   * @param {Side | null} next
   */
  #played(node, next) {
    const mover = next === null ? null : next === 0 ? 1 : 0;
    if (this.#at && node.parent === this.#at && mover !== null) this.left[mover] = (this.left[mover] ?? 0) + (this.terms?.increment ?? 0);
    this.#at = node;
    this.#run(next);
  }

  /** Stands still, while an engine waits for its turn to search. */
  hold() {
    this.#held = this.running ?? this.#held;
    this.#pause();
  }

  /** Runs again for the side that was held, unless the game has moved on. */
  go() {
    if (this.#held !== null) this.#run(this.#held);
  }

  /** @param {Side | null} side */
  #run(side) {
    this.#held = null;
    this.#pause();
    if (side === null || this.fallen !== null) return;
    this.running = side;
    this.#since = performance.now();
    this.#timer = window.setInterval(() => this.#tick(), 100);
  }

  #pause() {
    window.clearInterval(this.#timer);
    this.#spend();
    this.running = null;
    this.emit('tick');
  }

  /** Stops the clock, when its game is left. */
  stop() {
    this.#pause();
  }

  #spend() {
    if (this.running === null) return;
    const now = performance.now();
    this.left[this.running] = (this.left[this.running] ?? 0) - (now - this.#since);
    this.#since = now;
  }

  #tick() {
    this.#spend();
    this.emit('tick');
    const side = this.running;
    if (side === null || (this.left[side] ?? 0) > 0) return;
    this.fallen = side;
    this.#pause();
    this.emit('flag', side);
  }

  /**
   * The remaining time of a side, as a budget for the server.
   * @param {Side} side
   */
  budget(side) {
    if (!this.terms) return null;
    this.#spend();
    const increment = this.terms.increment > 0 ? [`inc=${Math.round(this.terms.increment)}ms`] : [];
    return [`${Math.max(50, Math.round(this.left[side] ?? 0))}ms/game`, ...increment, ...this.terms.others].join('+');
  }
}
