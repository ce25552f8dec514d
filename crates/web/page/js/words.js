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
 * Whether the search compares moves by margins.
 * @param {Analysis} analysis
 */
export function hasMargins(analysis) {
  return analysis.moves.some((mv) => marginOf(mv) !== undefined);
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

/** The sign before an upper bound. @param {Candidate} mv */
export function boundSign(mv) {
  return mv.at_most ? '\u2264' : '';
}

/**
 * Value of a candidate in the unit of the search, with `≤` if it is only an upper bound.
 * @param {Candidate} mv
 * @param {boolean} margins
 */
export function valueText(mv, margins) {
  const [value, margin] = [mv.value ?? mv.at_most?.value, marginOf(mv)];
  const sign = mv.at_most ? `${boundSign(mv)}\u200a` : '';
  if (margins) return margin === undefined ? '\u2013' : sign + signed(margin, Number.isInteger(margin) ? 0 : 1);
  return value === undefined ? '\u2013' : sign + percentText(value);
}

/** Marks of moves that lose something, with their CSS classes. */
export const MARKS = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };
