/** A mirrored position: columns from right to left, with the same moves. */

/** @import { LegalMove, Picture, State, Structure } from '../types.js' */

/**
 * @param {State} state
 * @returns {State}
 */
export function mirrored(state) {
  const picture = state.picture;
  if (!picture) return state;
  return {
    ...state,
    picture: mirroredPicture(picture),
    legal: state.legal.map((legal) => mirroredMove(picture, legal)),
    structure: state.structure && mirroredStructure(picture, state.structure),
  };
}

/**
 * @param {Picture} picture
 * @returns {Picture}
 */
function mirroredPicture(picture) {
  /** @type {<T>(items: T[], map: (i: number) => number) => T[]} */
  const moved = (items, map) => items.map((_, i) => /** @type {(typeof items)[number]} */ (items[map(i)]));
  return {
    ...picture,
    cells: moved(picture.cells, (i) => mirroredCell(picture, i)),
    edges: picture.edges && moved(picture.edges, (i) => mirroredEdge(picture, i)),
    column_labels: [...picture.column_labels].reverse(),
    mirrored: !picture.mirrored,
  };
}

/**
 * @param {Picture} picture
 * @param {number} cell
 */
export function mirroredCell(picture, cell) {
  const column = cell % picture.columns;
  return cell - column + (picture.columns - 1 - column);
}

/**
 * @param {Picture} picture
 * @param {number} edge
 */
export function mirroredEdge(picture, edge) {
  const across = (picture.rows + 1) * picture.columns;
  const width = edge < across ? picture.columns : picture.columns + 1;
  const column = (edge < across ? edge : edge - across) % width;
  return edge - column + (width - 1 - column);
}

/**
 * @param {Picture} picture
 * @param {LegalMove} legal
 * @returns {LegalMove}
 */
function mirroredMove(picture, legal) {
  const last = picture.columns - 1;
  const { at } = legal;
  const place = !at ? null : 'edge' in at ? { edge: mirroredEdge(picture, at.edge) } : 'column' in at ? { column: last - at.column }
    : { cell: /** @type {[number, number]} */ ([at.cell[0], last - at.cell[1]]) };
  return { ...legal, at: place, after: { cells: legal.after.cells.map(([row, column, owner]) => [row, last - column, owner]) } };
}

/**
 * @param {Picture} picture
 * @param {Structure} structure
 * @returns {Structure}
 */
function mirroredStructure(picture, structure) {
  return { ...structure, parts: structure.parts.map((part) => ({ ...part, cells: part.cells.map((cell) => mirroredCell(picture, cell)) })) };
}
