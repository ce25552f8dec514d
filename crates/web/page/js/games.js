/** The games of the server, by name. */

/** @import { GameInfo } from './types.js' */

/** @type {GameInfo[]} */
let games = [];

/**
 * Stores the games that the server has.
 * @param {GameInfo[]} known
 */
export function setGames(known) {
  games = known;
}

/**
 * The game of a specification, which has options after a colon; `undefined` if the server does not have it.
 * @param {string} spec
 */
export function gameOf(spec) {
  const name = spec.split(':')[0];
  return games.find((one) => one.name === name);
}
