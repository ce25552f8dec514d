import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GameClock } from '../../page/js/clock.js';
import { Emitter } from '../../page/js/dom.js';

/** A game whose clock runs for the second side. */
function running() {
  globalThis.window = /** @type {any} */ ({ setInterval: () => 0, clearInterval: () => undefined });
  const game = /** @type {any} */ (Object.assign(new Emitter(), { budget: '5m/game', cursor: {}, state: null }));
  const clock = new GameClock(game);
  game.emit('played', { node: game.cursor, state: { result: null, to_move: 1 } });
  return { game, clock };
}

test('a clock that is held stands still, and runs again for the same side', () => {
  const { clock } = running();
  clock.hold();
  const left = clock.left[1];
  clock.hold();
  assert.deepEqual([clock.running, clock.left[1]], [null, left]);
  clock.go();
  assert.equal(clock.running, 1);
});

test('a clock that was held runs for the side to move once the game has moved on', () => {
  const { game, clock } = running();
  clock.hold();
  game.emit('played', { node: {}, state: { result: null, to_move: 0 } });
  clock.go();
  assert.equal(clock.running, 0);
});
