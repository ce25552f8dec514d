/** Coordinates of the nodes of a search graph: a column for each ply, a row for each leaf, parents at the middle of their children. */

/** @import { TreeNode } from '../types.js' */

/**
 * @typedef {object} GraphPlace
 * @property {number} column
 * @property {number} row
 * @property {number | null} parent the node through which it was reached first
 * @property {string} move the move from there
 */

/**
 * @param {TreeNode[]} nodes the root first
 * @returns {{ places: (GraphPlace | undefined)[], columns: number, rows: number }}
 */
export function layoutGraph(nodes) {
  /** @type {(GraphPlace | undefined)[]} */
  const places = new Array(nodes.length).fill(undefined);
  /** @type {number[][]} */
  const children = nodes.map(() => []);
  if (nodes.length > 0) places[0] = { column: 0, row: 0, parent: null, move: '' };
  const queue = nodes.length > 0 ? [0] : [];
  for (let i = queue.shift(); i !== undefined; i = queue.shift()) {
    for (const edge of nodes[i]?.edges ?? []) {
      if (edge.to === null || places[edge.to] || !nodes[edge.to]) continue;
      places[edge.to] = { column: (places[i]?.column ?? 0) + 1, row: 0, parent: i, move: edge.move };
      children[i]?.push(edge.to);
      queue.push(edge.to);
    }
  }
  let rows = 0;
  const place = (/** @type {number} */ i) => {
    const own = places[i];
    if (!own) return;
    const below = children[i] ?? [];
    below.forEach(place);
    const [first, last] = [places[below[0] ?? -1], places[below.at(-1) ?? -1]];
    own.row = first && last ? (first.row + last.row) / 2 : rows++;
  };
  if (nodes.length > 0) place(0);
  const columns = places.reduce((most, at) => Math.max(most, (at?.column ?? 0) + 1), 0);
  return { places, columns, rows };
}
