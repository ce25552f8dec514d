/** The numbers of an analysis that are shown on the board. */

import { signed } from '../i18n.js';
import { boundSign, isKnown, marginOf, percent, proven } from '../words.js';
import { markOf } from './layout.js';

/** @import { Analysis, Candidate, State } from '../types.js' */
/** @import { OverlayItem } from './board.js' */

/** The colours of numbers by the points that a move loses; beyond the last it is far from the best. */
const LOSSES = [{ most: 1, kind: 'close' }, { most: 4, kind: 'behind' }];
/** Percent of a win that count as a point where a search has no points. */
const PERCENT_OF_A_POINT = 4;

/**
 * @param {State} state
 * @param {Analysis} analysis
 * @param {string} kind `off`, `win`, `visits`, `proven` or `structure`
 * @param {boolean} counts whether margins count in the game, not only the winner
 * @returns {OverlayItem[]}
 */
export function overlayItems(state, analysis, kind, counts) {
  const picture = state.picture;
  if (!picture || kind === 'off' || kind === 'structure') return [];
  const most = Math.max(1, ...analysis.moves.map((mv) => mv.visits));
  return analysis.moves.flatMap((mv, rank) => {
    const legal = state.legal.find((one) => one.move === mv.move);
    if (!legal || !isKnown(mv)) return [];
    const item = itemOf(kind, mv, { rank, share: mv.visits / most, counts, loss: lossOf(mv, analysis) });
    return item ? [{ ...item, mark: markOf(picture, legal, state.to_move) }] : [];
  });
}

/**
 * @param {string} overlay
 * @param {Candidate} mv
 * @param {{ rank: number, share: number, counts: boolean, loss: number }} shown
 * @returns {Omit<OverlayItem, 'mark'> | null}
 */
function itemOf(overlay, mv, { rank, share, counts, loss }) {
  const proof = proven(mv.proof);
  const kind = `${rank === 0 ? 'best ' : ''}${proof?.kind ?? ''}`;
  if (overlay === 'proven') return proof ? { text: proof.sign, strength: 0.6, kind } : null;
  if (overlay === 'visits') return { text: String(Math.round(share * 100)), strength: share, kind };
  const step = LOSSES.find(({ most }) => loss <= most);
  const colour = rank === 0 || proof ? kind : `${kind} ${step?.kind ?? 'far'}`;
  return { text: valueOf(mv, counts), strength: 1, kind: mv.at_most ? `${colour} bound` : colour };
}

/**
 * What a move loses against the best one: points, or percent of a win where the search has no points.
 * @param {Candidate} mv
 * @param {Analysis} analysis
 */
function lossOf(mv, analysis) {
  const margin = marginOf(mv);
  if (margin !== undefined && analysis.margin !== undefined) return analysis.margin - margin;
  return (percent(analysis.value) - percent(mv.value ?? mv.at_most?.value ?? 0)) / PERCENT_OF_A_POINT;
}

/**
 * @param {Candidate} mv
 * @param {boolean} counts
 */
function valueOf(mv, counts) {
  const proof = proven(mv.proof);
  if (counts && mv.proof && mv.proof.lower === mv.proof.upper) return signed(mv.proof.lower);
  if (proof && proof.kind !== 'bounded') return proof.sign + (mv.ends_in ?? '');
  const margin = marginOf(mv);
  const value = margin === undefined ? String(Math.round(percent(mv.value ?? mv.at_most?.value ?? 0))) : signed(margin);
  return boundSign(mv) + value;
}
