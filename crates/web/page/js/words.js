/** Values, proofs and results as text and symbols. */

import { signed, t } from './i18n.js';

/** @import { Analysis, Candidate, Proof } from './types.js' */

/**
 * Expected score in percent.
 * @param {number} value -1..1
 */
export function percent(value) {
  return 50 * (value + 1);
}

/** @param {number} value */
export function percentText(value) {
  return `${percent(value).toFixed(1)}`;
}

/**
 * A proof as class, symbol and text; `null` if it does not restrict the winner.
 * @param {Proof | null} proof
 * @param {number} [endsIn] moves of the winner until the end, where the game counts them
 * @returns {{ kind: 'won' | 'lost' | 'drawn' | 'bounded', sign: string, text: string } | null}
 */
export function proven(proof, endsIn) {
  if (!proof) return null;
  const exact = proof.lower === proof.upper;
  if (exact && proof.lower === 0) return { kind: 'drawn', sign: '=', text: t('proof.draw') };
  if (proof.lower > 0) {
    const margin = exact ? signed(proof.lower) : '';
    return { kind: 'won', sign: '\u2713', text: endsIn ? t('proof.win-in', { n: endsIn }) : t('proof.win', { margin }) };
  }
  if (proof.upper < 0) {
    const margin = exact ? signed(proof.upper) : '';
    return { kind: 'lost', sign: '\u2717', text: endsIn ? t('proof.loss-in', { n: endsIn }) : t('proof.loss', { margin }) };
  }
  if (proof.lower === 0) return { kind: 'bounded', sign: '\u2265', text: t('proof.no-loss') };
  if (proof.upper === 0) return { kind: 'bounded', sign: '\u2264', text: t('proof.no-win') };
  return null;
}

/**
 * Whether the search compares moves by margins: in a game in which they count.
 * @param {Analysis} analysis
 * @param {boolean} counts whether margins count in the game, not only the winner
 */
export function hasMargins(analysis, counts) {
  return counts && analysis.moves.some((mv) => marginOf(mv) !== undefined);
}

/**
 * An analysis with its moves in the order of their values, so that order, numbers and colours agree. The move that the
 * search recommends stays the first. A search that shares its visits out can have a higher value for a move that it has
 * tried seldom, and does not trust it yet: that move is `unsettled`, and comes next.
 * @param {Analysis} analysis
 * @param {boolean} counts whether margins count in the game, not only the winner
 * @returns {Analysis}
 */
export function inOrder(analysis, counts) {
  const [best, ...others] = analysis.moves;
  if (!best) return analysis;
  const moves = others.map((mv) => ({ ...mv, unsettled: proven(mv.proof) === null && isKnown(mv) && !mv.at_most && compare(mv, best, counts) > 0 }));
  return { ...analysis, moves: [best, ...moves.sort((a, b) => compare(b, a, counts))] };
}

/**
 * Positive if the first of two moves is the better one; moves without a result are the worst.
 * @param {Candidate} a
 * @param {Candidate} b
 * @param {boolean} counts
 */
function compare(a, b, counts) {
  const [one, other] = [marginOf(a), marginOf(b)];
  if (counts && one !== undefined && other !== undefined) return one - other;
  const rank = rankOf(a) - rankOf(b);
  // Among proven moves a larger margin is a quicker win or a later loss.
  return rank !== 0 ? rank : (one ?? 0) - (other ?? 0);
}

/** @param {Candidate} mv */
function rankOf(mv) {
  const kind = proven(mv.proof)?.kind;
  if (kind === 'won') return 2;
  if (kind === 'lost') return -2;
  return kind === 'drawn' ? 0 : mv.value ?? mv.at_most?.value ?? (isKnown(mv) ? 0 : -3);
}

/**
 * The expected margin of a move, or the upper bound of it.
 * @param {Candidate} mv
 */
export function marginOf(mv) {
  return mv.margin ?? mv.at_most?.margin;
}

/**
 * Whether a search has a result for a move.
 * @param {Candidate} mv
 */
export function isKnown(mv) {
  return proven(mv.proof) !== null || (mv.value ?? mv.at_most?.value) !== undefined;
}

/** The sign after a value that the search does not trust yet. @param {Candidate} mv */
export function doubtSign(mv) {
  return mv.unsettled ? '?' : '';
}

/** The sign before an upper bound. @param {Candidate} mv */
export function boundSign(mv) {
  return mv.at_most ? '\u2264' : '';
}

/**
 * Value of a candidate in the unit of the search, or in percent if it has none in it, with `≤` if it is only an upper
 * bound.
 * @param {Candidate} mv
 * @param {boolean} margins
 */
export function valueText(mv, margins) {
  const [value, margin] = [mv.value ?? mv.at_most?.value, marginOf(mv)];
  const sign = mv.at_most ? `${boundSign(mv)}\u200a` : '';
  if (margins && margin !== undefined) return sign + signed(margin, Number.isInteger(margin) ? 0 : 1) + doubtSign(mv);
  if (value === undefined) return '\u2013';
  return sign + percentText(value) + (margins ? '\u00a0%' : '') + doubtSign(mv);
}

/** Marks of moves that lose something, with their CSS classes. */
export const MARKS = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };
