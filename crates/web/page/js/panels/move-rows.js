/** The line of a game in numbered rows of two columns, as the list of moves shows it. */

import { plyOf } from '../tree.js';

/** @import { Side } from '../types.js' */
/** @import { GameNode } from '../tree.js' */

/**
 * A row of the list: the moves of the first side, and those of the second before the first moves again.
 * @typedef {object} Row
 * @property {number} number
 * @property {[GameNode[], GameNode[]]} moves
 * @property {boolean} continues whether the row above has the same number, because variations stand between them
 * @property {GameNode[]} others alternatives to the last move, shown below the row
 */

/**
 * The line below a node in rows. A move that has alternatives ends its row, so that they follow it.
 * @param {GameNode} from
 * @param {{ sideOf: (node: GameNode) => Side | null, number?: number }} options
 * @returns {Row[]}
 */
export function rowsOf(from, { sideOf, number = 1 }) {
  /** @type {Row[]} */
  const rows = [];
  let last = /** @type {Side | null} */ (null);
  for (let at = from; at.children.length > 0;) {
    const [main, ...others] = at.children;
    if (!main) break;
    const side = sideOf(main) ?? /** @type {Side} */ ((plyOf(main) + 1) % 2);
    const before = rows.at(-1);
    const begins = side === 0 && last === 1;
    const row = before && !begins && before.others.length === 0 ? before
      : { number: begins ? (before?.number ?? number) + 1 : before?.number ?? number, moves: /** @type {Row['moves']} */ ([[], []]), continues: Boolean(before) && !begins, others: [] };
    if (row !== before) rows.push(row);
    row.moves[side].push(main);
    row.others = others;
    last = side;
    at = main;
  }
  return rows;
}
