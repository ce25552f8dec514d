/** Small pictures of positions and pieces. */

import { h, s } from '../dom.js';
import { drawPicture, styleOf } from './draw.js';
import { sizeOf } from './layout.js';
import { shownTitle } from '../games.js';

/** @import { Side, State } from '../types.js' */

/**
 * A small board without labels.
 * @param {State} state
 */
export function miniBoard(state) {
  const picture = state.picture;
  if (!picture) return null;
  const { width, height } = sizeOf(picture);
  return s('svg', { class: `board mini pieces-${styleOf(state.game, picture)}`, viewBox: `16 16 ${width - 32} ${height - 32}`, role: 'img', 'aria-label': shownTitle(state.title) },
    drawPicture(picture, styleOf(state.game, picture), { labels: false, lastSide: state.moves.at(-1)?.side }));
}

/**
 * A piece of a side, in the colours that an element around it selects by the class `pieces-STYLE` of the board's style.
 * @param {Side | number} side
 */
export function chip(side) {
  return h('i', { class: `chip side-${side}`, 'aria-hidden': 'true' });
}
