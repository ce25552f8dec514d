/** A game as a tree of variations. Moves are added, never replaced. */

/**
 * @typedef {object} GameNode
 * @property {number} id
 * @property {string} move empty at the root
 * @property {GameNode | null} parent
 * @property {GameNode[]} children the first one is the main line
 * @property {GameNode | null} recent the child that was visited last
 */

export class Tree {
  #next = 1;

  constructor() {
    /** @type {GameNode} */
    this.root = { id: 0, move: '', parent: null, children: [], recent: null };
  }

  /**
   * The child with this move, added after the others if there is none.
   * @param {GameNode} parent
   * @param {string} move
   */
  add(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    /** @type {GameNode} */
    const node = { id: this.#next++, move, parent, children: [], recent: null };
    parent.children.push(node);
    return node;
  }

  /**
   * @param {GameNode} from
   * @param {string[]} moves
   */
  addLine(from, moves) {
    return moves.reduce((node, move) => this.add(node, move), from);
  }

  /**
   * Removes a variation; `restore` of the result adds it again.
   * @param {GameNode} node
   */
  remove(node) {
    const parent = node.parent;
    if (!parent) return () => undefined;
    const index = parent.children.indexOf(node);
    parent.children.splice(index, 1);
    if (parent.recent === node) parent.recent = null;
    return () => void parent.children.splice(index, 0, node);
  }

  /**
   * Makes `node` the first of the alternatives at its place: the main line, if its parent is on that line.
   * @param {GameNode} node
   */
  prefer(node) {
    const siblings = node.parent?.children;
    if (!siblings) return;
    siblings.splice(siblings.indexOf(node), 1);
    siblings.unshift(node);
  }

  /**
   * Makes the variation of `node` the main line.
   * @param {GameNode} node
   */
  promote(node) {
    for (const step of pathTo(node)) this.prefer(step);
  }

  get size() {
    let n = 0;
    walk(this.root, () => n++);
    return n;
  }
}

/**
 * The nodes from the root to `node`, both included.
 * @param {GameNode} node
 */
export function pathTo(node) {
  const path = [];
  for (let at = /** @type {GameNode | null} */ (node); at; at = at.parent) path.push(at);
  return path.reverse();
}

/** @param {GameNode} node */
export function movesTo(node) {
  return pathTo(node).slice(1).map((step) => step.move);
}

/**
 * The child that a step forward selects.
 * @param {GameNode} node
 */
export function following(node) {
  return node.recent ?? node.children[0] ?? null;
}

/**
 * The line through `node`: from the root to it, continued by steps forward.
 * @param {GameNode} node
 */
export function lineThrough(node) {
  const line = pathTo(node);
  for (let at = following(node); at; at = following(at)) line.push(at);
  return line;
}

/**
 * The main line: the game as it was played.
 * @param {Tree} tree
 */
export function mainLine(tree) {
  const line = [tree.root];
  for (let at = tree.root.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** @param {GameNode} node */
export function plyOf(node) {
  return pathTo(node).length - 1;
}

/**
 * Whether every step to `node` is a first child.
 * @param {GameNode} node
 */
export function isMain(node) {
  return pathTo(node).every((step) => !step.parent || step.parent.children[0] === step);
}

/**
 * The last node on the path to `node` that lies on the main line.
 * @param {GameNode} node
 */
export function branchPoint(node) {
  let at = node;
  for (const step of pathTo(node)) {
    if (step.parent && step.parent.children[0] !== step) return at;
    at = step;
  }
  return node;
}

/**
 * @param {GameNode} node
 * @param {(node: GameNode) => void} visit
 */
export function walk(node, visit) {
  visit(node);
  for (const child of node.children) walk(child, visit);
}
