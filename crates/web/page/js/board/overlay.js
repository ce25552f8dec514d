/** The numbers of an analysis that are shown on the board. */

import { signed } from '../i18n.js';
import { isKnown, onlyBounds, percent, proven } from '../words.js';
import { markOf } from './layout.js';

/** @import { Analysis, Candidate, State } from '../types.js' */
/** @import { OverlayItem } from './board.js' */

/** Share of the visits of the most visited move below which a move gets no number on the board. */
const LEAST_SHARE = 0.002;
/** Maximum number of numbers on the board; lower if only bounds are known, which mean less. */
const MOST_NUMBERS = { values: 20, bounds: 6 };

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
  const bounds = onlyBounds(analysis);
  const limit = kind === 'proven' ? Infinity : bounds ? MOST_NUMBERS.bounds : MOST_NUMBERS.values;
  return analysis.moves.slice(0, limit).flatMap((mv, rank) => {
    const legal = state.legal.find((one) => one.move === mv.move);
    if (!legal || !isKnown(mv) || (mv.visits < most * LEAST_SHARE && rank > 2 && !mv.proof)) return [];
    const item = itemOf(kind, mv, { rank, share: mv.visits / most, bound: bounds && rank > 0, counts });
    return item ? [{ ...item, mark: markOf(picture, legal, state.to_move) }] : [];
  });
}

/**
 * @param {string} overlay
 * @param {Candidate} mv
 * @param {{ rank: number, share: number, bound: boolean, counts: boolean }} shown
 * @returns {Omit<OverlayItem, 'mark'> | null}
 */
function itemOf(overlay, mv, { rank, share, bound, counts }) {
  const proof = proven(mv.proof);
  const kind = `${rank === 0 ? 'best ' : ''}${proof?.kind ?? ''}`;
  if (overlay === 'proven') return proof ? { text: proof.sign, strength: 0.6, kind } : null;
  if (overlay === 'visits') return { text: String(Math.round(share * 100)), strength: share, kind };
  return { text: valueOf(mv, bound, counts), strength: rank === 0 ? 1 : 0.25 + 0.6 * share, kind };
}

/**
 * @param {Candidate} mv
 * @param {boolean} bound
 * @param {boolean} counts
 */
function valueOf(mv, bound, counts) {
  const proof = proven(mv.proof);
  if (counts && mv.proof && mv.proof.lower === mv.proof.upper) return signed(mv.proof.lower);
  if (proof && proof.kind !== 'bounded') return proof.sign;
  const value = mv.margin === undefined || mv.margin === null ? String(Math.round(percent(mv.value))) : mv.margin.toFixed(0).replace('-', '\u2212');
  return (bound ? '\u2264' : '') + value;
}
