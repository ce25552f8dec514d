/** The games of the server, by name, and the words for their sides and results. */

import { t, textOr } from './i18n.js';

/** @import { About, GameInfo, Side, State } from './types.js' */

/** @type {GameInfo[]} */
let games = [];

/** Titles of games, the server's and the page's. @type {[string, string][]} */
let titles = [];

/**
 * Stores the games, with titles, rules and units in the language of the page.
 * @param {About} about
 */
export function withGames(about) {
  games = about.games.map((game) => ({
    ...game,
    title: textOr(`game.${game.name}`, game.title),
    rules: textOr(`rules.${game.name}`, game.rules),
    unit: { ...game.unit, one: textOr(`unit.${game.unit.one}`, game.unit.one), many: textOr(`unit.${game.unit.many}`, game.unit.many) },
  }));
  titles = about.games.map((game, i) => [game.title, games[i]?.title ?? game.title]);
  return { ...about, games };
}

/**
 * The title of a position, which begins with that of its game.
 * @param {string} title
 */
export function shownTitle(title) {
  const [known, shown] = titles.find(([known]) => title.startsWith(known)) ?? ['', ''];
  return shown + title.slice(known.length);
}

/**
 * The game of a specification, which has options after a colon; `undefined` if the server does not have it.
 * @param {string} spec
 */
export function gameOf(spec) {
  const name = spec.split(':')[0];
  return games.find((one) => one.name === name);
}

/**
 * The title of a game by its specification, for as long as its state, which has the exact one, is not there.
 * @param {string} spec
 */
export function titleOf(spec) {
  const title = gameOf(spec)?.title ?? spec;
  const options = spec.split(':')[1];
  return options && title !== spec ? `${title} ${options}` : title;
}

/**
 * Whether margins count in a game, not only the winner.
 * @param {string} spec
 */
export function countsMargins(spec) {
  return !gameOf(spec)?.unit.to_spare;
}

/**
 * The sides by the colours in which the board draws them (board.css).
 * @param {string} spec
 * @returns {[string, string]}
 */
export function sidesOf(spec) {
  return gameOf(spec)?.style === 'discs' ? [t('side.black'), t('side.white')] : [t('side.blue'), t('side.orange')];
}

/**
 * The end of a game as a sentence, seen by the person if only one side is a person.
 * @param {State} state
 * @param {[string, string]} players empty for a person
 */
export function overText(state, players) {
  const text = resultText(state);
  const winner = state.result?.winner ?? null;
  const person = players.filter((player) => player === '').length === 1 ? players.indexOf('') : null;
  if (person === null || winner === null) return t('play.over', { text });
  return t(winner === person ? 'play.over-won' : 'play.over-lost', { text });
}

/**
 * The name of a side in notation and messages of the server, if it is another one than its colour: `X`.
 * @param {string} spec
 * @param {Side} side
 */
export function letterOf(spec, side) {
  const game = gameOf(spec);
  return game?.style === 'discs' ? '' : game?.sides[side] ?? '';
}

/**
 * The result of a finished game in words, with the points of both sides where the game has them, those of the winner first.
 * @param {State} state
 */
export function resultText(state) {
  const { result, points } = state;
  const unit = gameOf(state.game)?.unit;
  if (!result || !unit) return result?.text ?? '';
  const count = points ? ` (${(result.winner === 1 ? [...points].reverse() : points).join('\u2013')})` : '';
  if (result.winner === null) return t('result.draw') + count;
  const side = sidesOf(state.game)[result.winner];
  const n = Math.abs(result.margin) - (unit.to_spare ? 1 : 0);
  const things = n === 1 ? unit.one : unit.many;
  if (!unit.to_spare) return t('result.by', { side, n, things }) + count;
  return n > 0 ? t('result.to-spare', { side, n, things }) : t('result.with-the-last', { side, thing: unit.one });
}

/**
 * The name of a file with a game, or with its board after a number of moves: `GAME-6x6-2026-11-28-move-12.png`.
 * @param {string} spec
 * @param {{ extension: string, date?: Date, ply?: number }} file
 */
export function fileName(spec, { extension, date = new Date(), ply }) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const game = spec.replace(/[^a-z0-9]+/gi, '-').replace(/-$/, '');
  return `${game}-${day}${ply === undefined ? '' : `-move-${ply}`}.${extension}`;
}
