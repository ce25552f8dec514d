/** Charts of matches and sweeps. */

import { watchUnit } from '../board/draw.js';
import { s } from '../dom.js';
import { signed, t } from '../i18n.js';

const WIDTH = 480;
const HEIGHT = 220;
const LEFT = 52;
const BOTTOM = 26;

/** Elo beyond which an interval is clipped. */
const FAR = 1200;

/**
 * Round numbers between two limits, for an axis.
 * @param {number} low
 * @param {number} high
 * @param {number} n approximate number of ticks
 */
export function ticks(low, high, n) {
  const raw = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? raw;
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) marks.push(Number(at.toPrecision(12)));
  return marks;
}

/**
 * @param {string} label
 * @param {[number, number]} xs
 * @param {[number, number]} ys
 * @param {(value: number) => string} text of the values
 */
function frame(label, xs, ys, text) {
  const x = (/** @type {number} */ value) => LEFT + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * (WIDTH - LEFT - 12);
  const y = (/** @type {number} */ value) => 10 + ((ys[1] - value) / (ys[1] - ys[0] || 1)) * (HEIGHT - 10 - BOTTOM);
  const svg = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'plot', role: 'img', 'aria-label': label },
    ticks(ys[0], ys[1], 5).map((mark) => [s('line', { class: mark === 0 ? 'grid zero' : 'grid', x1: LEFT, x2: WIDTH - 12, y1: y(mark), y2: y(mark) }), s('text', { class: 'axis end', x: LEFT - 6, y: y(mark) }, text(mark))]).flat(),
    ticks(xs[0], xs[1], 6).map((mark) => s('text', { class: 'axis', x: x(mark), y: HEIGHT - 8 }, String(mark))));
  watchUnit(svg);
  return { svg, x, y };
}

/**
 * The Elo difference with its 95 % interval, by number of pairs.
 * @param {{ pairs: number, elo: [number, number, number] }[]} history
 * @param {number} of
 */
export function intervalChart(history, of) {
  const cut = (/** @type {number | null} */ value, /** @type {number} */ far) => (value === null || !Number.isFinite(value) ? far : Math.max(-FAR, Math.min(FAR, value)));
  const points = history.map(({ pairs, elo }) => ({ pairs, low: cut(elo[0], -FAR), mean: cut(elo[1], elo[0] === null ? -FAR : FAR), high: cut(elo[2], FAR) }));
  const last = points.at(-1);
  if (!last) return null;
  const settled = points.slice(Math.floor(points.length / 3));
  const low = Math.min(-20, ...settled.map((point) => point.low));
  const high = Math.max(20, ...settled.map((point) => point.high));
  const inside = (/** @type {number} */ value) => Math.max(low, Math.min(high, value));
  const first = points.length === 1 ? 0 : points[0]?.pairs ?? 0;
  const { svg, x, y } = frame(t('match.chart', { elo: signed(last.mean), low: signed(last.low), high: signed(last.high) }), [Math.min(first, of), Math.max(of, last.pairs, 1)], [low, high], (value) => signed(value));
  const line = (/** @type {'low' | 'mean' | 'high'} */ name) => points.map((point) => `${x(point.pairs).toFixed(1)},${y(inside(point[name])).toFixed(1)}`);
  svg.append(s('polygon', { class: 'band', points: [...line('high'), ...line('low').reverse()].join(' ') }), s('polyline', { class: 'trace', points: line('mean').join(' ') }),
    s('line', { class: 'bar', x1: x(last.pairs), x2: x(last.pairs), y1: y(inside(last.low)), y2: y(inside(last.high)) }), s('circle', { class: 'now', cx: x(last.pairs), cy: y(inside(last.mean)), r: 4 }));
  return svg;
}

/**
 * Results by the value of one setting, with the fitted curve.
 * @param {any} sweep
 */
export function sweepChart(sweep) {
  if (sweep.settings.length !== 1) return null;
  const points = sweep.points.filter((/** @type {any} */ point) => point.mean[1] !== null && point.mean[1] !== undefined);
  if (points.length === 0) return null;
  const log = sweep.settings[0].log;
  const at = (/** @type {number} */ value) => (log ? Math.log10(value) : value);
  const xs = points.map((/** @type {any} */ point) => at(point.values[0]));
  const low = Math.min(...points.map((/** @type {any} */ point) => point.mean[0] ?? point.mean[1]));
  const high = Math.max(...points.map((/** @type {any} */ point) => point.mean[2] ?? point.mean[1]));
  const { svg, x, y } = frame(sweep.conclusion, [Math.min(...xs), Math.max(...xs)], [low, high], (value) => String(value));
  const curve = (sweep.curve ?? []).map((/** @type {[number, number]} */ [value, result]) => `${x(at(value)).toFixed(1)},${y(result).toFixed(1)}`);
  svg.append(s('polyline', { class: 'trace', points: curve.join(' ') }), ...points.flatMap((/** @type {any} */ point) => {
    const px = x(at(point.values[0]));
    return [s('line', { class: 'bar', x1: px, x2: px, y1: y(point.mean[0] ?? point.mean[1]), y2: y(point.mean[2] ?? point.mean[1]) }), s('circle', { class: 'now', cx: px, cy: y(point.mean[1]), r: 4 })];
  }));
  return svg;
}
