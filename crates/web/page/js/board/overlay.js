/** The numbers of an analysis that are shown on the board. */

import { signed, t } from '../i18n.js';
import { boundSign, doubtSign, isKnown, marginOf, percent, proven } from '../words.js';
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
    const item = itemOf(kind, mv, { rank, share: mv.visits / most, counts, loss: lossOf(mv, analysis, counts) });
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
  return { text: valueOf(mv, counts) + doubtSign(mv), strength: 1, kind: mv.at_most || mv.unsettled ? `${colour} bound` : colour };
}

/**
 * What a move loses against the best one: points where they count and the search has them, or else percent of a win.
 * @param {Candidate} mv
 * @param {Analysis} analysis
 * @param {boolean} counts
 */
function lossOf(mv, analysis, counts) {
  const best = analysis.moves[0] ?? mv;
  const [margin, most] = [marginOf(mv), marginOf(best)];
  if (counts && margin !== undefined && most !== undefined) return most - margin;
  return (percentOf(best) - percentOf(mv)) / PERCENT_OF_A_POINT;
}

/** @param {Candidate} mv */
function percentOf(mv) {
  return percent(mv.value ?? mv.at_most?.value ?? 0);
}

/**
 * Whether the board shows the expected margin of a move, and not its percent of a win.
 * @param {Candidate} mv
 * @param {boolean} counts
 */
function showsMargin(mv, counts) {
  return counts && (marginOf(mv) !== undefined || mv.proof?.lower === mv.proof?.upper && mv.proof !== null);
}

/**
 * What the numbers and signs on the board mean, for those that are on it.
 * @param {Analysis} analysis
 * @param {string} kind as for `overlayItems`
 * @param {{ counts: boolean, things: string }} game `things`: what margins count
 */
export function legendText(analysis, kind, { counts, things }) {
  const known = analysis.moves.filter(isKnown);
  if (known.length === 0 || (kind !== 'win' && kind !== 'proven')) return '';
  const isSign = (/** @type {Candidate} */ mv) => kind === 'proven' || !showsNumber(mv, counts);
  const [signs, numbers] = [known.filter((mv) => proven(mv.proof) && isSign(mv)), known.filter((mv) => !isSign(mv))];
  const leads = numbers.filter((mv) => showsMargin(mv, counts));
  const unit = leads.length === 0 ? 'overlay.percent' : leads.length === numbers.length ? 'overlay.lead' : 'overlay.lead-and-percent';
  return [
    numbers.length > 0 && t(unit, { things }), signs.length > 0 && t(signs.some((mv) => mv.ends_in) && kind === 'win' ? 'overlay.proofs-in' : 'overlay.proofs'),
    known.some((mv) => mv.unsettled) && numbers.length > 0 && t('overlay.unsettled'), numbers.length > 0 && t('overlay.colours')].filter(Boolean).join(' ');
}

/**
 * Whether the board shows a number for a move, and not the sign of a proof.
 * @param {Candidate} mv
 * @param {boolean} counts
 */
function showsNumber(mv, counts) {
  const proof = proven(mv.proof);
  return proof === null || proof.kind === 'bounded' || (counts && mv.proof?.lower === mv.proof?.upper);
}

/**
 * @param {Candidate} mv
 * @param {boolean} counts
 */
function valueOf(mv, counts) {
  if (!showsNumber(mv, counts)) return (proven(mv.proof)?.sign ?? '') + (mv.ends_in ?? '');
  if (counts && mv.proof && mv.proof.lower === mv.proof.upper) return signed(mv.proof.lower);
  return boundSign(mv) + (showsMargin(mv, counts) ? signed(marginOf(mv) ?? 0) : String(Math.round(percentOf(mv))));
}
