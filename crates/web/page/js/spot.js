/**
 * The state of the page as its address, the part after `#`:
 * `g=NAME:7x9&m=4.4.3(5.2).1&v=4` is a game with a variation, at its fourth ply.
 */

import { OVERLAYS } from './settings.js';
import { Tree, pathTo, plyOf } from './tree.js';

/** @import { GameNode } from './tree.js' */

/**
 * @typedef {object} GameAddress
 * @property {string} game
 * @property {string | null} position first position, unless it is the start of the game
 * @property {Tree} tree
 * @property {GameNode} cursor
 * @property {[string, string]} players empty for a human
 * @property {string} budget of the engine players; empty for the default
 * @property {string} [analyst] the analysing player; empty for that of the settings
 * @property {string} [overlay] overlay on the board; empty for that of the settings
 * @property {number} [opening] moves at the beginning that no player chose
 */

/** Maximum nesting of variations that is read. */
const DEEPEST = 40;

/** @param {string} text */
function escapeMove(text) {
  return encodeURIComponent(text).replace(/[.()!'*~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase()).replaceAll('%2C', ',');
}

/** @param {string} text */
function escapeValue(text) {
  return encodeURIComponent(text).replace(/%(3A|2C|2F|3D|40|3B)/g, (code) => decodeURIComponent(code));
}

/**
 * The moves below a node. Alternatives to a move follow it in parentheses, as in PGN.
 * @param {GameNode} node
 * @returns {string}
 */
export function writeMoves(node) {
  let text = '';
  for (let at = node; at.children.length > 0; at = /** @type {GameNode} */ (at.children[0])) {
    const [main, ...others] = at.children;
    if (!main) break;
    text += (text ? '.' : '') + escapeMove(main.move);
    for (const other of others) {
      const below = writeMoves(other);
      text += `(${escapeMove(other.move)}${below ? '.' + below : ''})`;
    }
  }
  return text;
}

/**
 * Adds the moves of such a text to a tree. Throws an error on invalid text.
 * @param {Tree} tree
 * @param {string} text
 */
export function readMoves(tree, text) {
  /** @type {GameNode[]} */
  const stack = [];
  let at = tree.root;
  for (const token of text.match(/[()]|[^.()]+/g) ?? []) {
    if (token === '(') {
      if (!at.parent || stack.length >= DEEPEST) throw new Error(text);
      stack.push(at);
      at = at.parent;
    } else if (token === ')') {
      const back = stack.pop();
      if (!back) throw new Error(text);
      at = back;
    } else {
      at = tree.add(at, decodeURIComponent(token));
    }
  }
  if (stack.length > 0) throw new Error(text);
}

/**
 * A place in the tree: its ply, and the steps to it that are not first children: `12~3:1`.
 * @param {GameNode} node
 */
export function writePlace(node) {
  const turns = pathTo(node).flatMap((step, ply) => {
    const index = step.parent ? step.parent.children.indexOf(step) : 0;
    return index > 0 ? [`~${ply}:${index}`] : [];
  });
  return `${plyOf(node)}${turns.join('')}`;
}

/**
 * @param {Tree} tree
 * @param {string} text
 * @returns {GameNode}
 */
export function readPlace(tree, text) {
  const [ply = '0', ...turns] = text.split('~');
  const index = new Map(turns.map((turn) => /** @type {[number, number]} */ (turn.split(':').map(Number))));
  let at = tree.root;
  for (let n = 1; n <= Number(ply); n++) {
    const next = at.children[index.get(n) ?? 0];
    if (!next) break;
    at.recent = next;
    at = next;
  }
  return at;
}

/** @param {GameAddress} address */
export function writeGame(address) {
  const parts = [`g=${escapeValue(address.game)}`];
  if (address.position !== null) parts.push(`s=${escapeValue(address.position)}`);
  const moves = writeMoves(address.tree.root);
  if (moves) parts.push(`m=${moves}`, `v=${writePlace(address.cursor)}`);
  const [first, second] = address.players;
  if (first) parts.push(`x=${escapeValue(first)}`);
  if (second) parts.push(`o=${escapeValue(second)}`);
  if (address.budget) parts.push(`b=${escapeValue(address.budget)}`);
  if (address.analyst) parts.push(`e=${escapeValue(address.analyst)}`);
  if (address.overlay) parts.push(`d=${escapeValue(address.overlay)}`);
  if (address.opening) parts.push(`n=${address.opening}`);
  return parts.join('&');
}

/**
 * The game of an address, or `null` if it names none.
 * @param {string} hash without `#`
 * @returns {GameAddress | null}
 */
export function readGame(hash) {
  const values = fields(hash);
  const game = values.get('g');
  if (!game) return null;
  const tree = new Tree();
  try {
    readMoves(tree, values.get('m') ?? '');
    const text = (/** @type {string} */ name) => decodeURIComponent(values.get(name) ?? '');
    const end = tree.root.children.length > 0 ? String(Number.MAX_SAFE_INTEGER) : '0';
    return {
      game: text('g'),
      position: values.has('s') ? text('s') : null,
      tree,
      cursor: readPlace(tree, values.get('v') ?? end),
      players: [text('x'), text('o')],
      budget: text('b'),
      analyst: text('e'),
      overlay: OVERLAYS.find((overlay) => overlay === text('d')) ?? '',
      opening: /^\d{1,4}$/.test(text('n')) ? Number(text('n')) : 0,
    };
  } catch {
    return null;
  }
}

/**
 * @param {string} hash
 * @returns {Map<string, string>}
 */
export function fields(hash) {
  const pairs = hash.split('&').map((part) => {
    const equals = part.indexOf('=');
    return /** @type {[string, string]} */ (equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]);
  });
  return new Map(pairs);
}
