/** A small picture of a position. */

import { s } from '../dom.js';
import { drawPicture, styleOf } from './draw.js';
import { sizeOf } from './layout.js';

/** @import { State } from '../types.js' */

/**
 * A small board without labels.
 * @param {State} state
 */
export function miniBoard(state) {
  const picture = state.picture;
  if (!picture) return null;
  const { width, height } = sizeOf(picture);
  return s('svg', { class: 'board mini', viewBox: `16 16 ${width - 32} ${height - 32}`, role: 'img', 'aria-label': state.title },
    drawPicture(picture, styleOf(state.game, picture), { labels: false }));
}
