/** The keyboard shortcuts of the game page. */

import { say } from './announce.js';
import { openKeys } from './keys.js';
import { branchPoint } from './tree.js';

/** @import { PlayView } from './play.js' */
/** @import { Shortcut } from './keys.js' */

/** Keys of the columns, from the first. */
const COLUMNS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'Shift+1', 'Shift+2', 'Shift+3', 'Shift+4', 'Shift+5', 'Shift+6'];

/**
 * @param {PlayView} view
 * @returns {Shortcut[]}
 */
export function shortcutsOf(view) {
  const { game } = view;
  const drop = (/** @type {string} */ key) => {
    const column = String(COLUMNS.indexOf(key) + 1);
    void view.play(column, { ifLegal: true });
  };
  return [
    { keys: ['ArrowLeft', 'k'], label: 'keys.previous', run: () => void view.step(-1) },
    { keys: ['ArrowRight', 'j'], label: 'keys.next', run: () => void view.step(1) },
    { keys: ['ArrowUp', 'Home'], label: 'keys.first', run: () => void view.first() },
    { keys: ['ArrowDown', 'End'], label: 'keys.last', run: () => void view.last() },
    { keys: ['Shift+ArrowLeft'], label: 'keys.leave', run: () => void view.inOrder(() => game.goTo(branchPoint(game.cursor))) },
    { keys: ['z', 'Ctrl+z'], label: 'keys.undo', run: () => void view.undo() },
    { keys: ['y', 'Ctrl+y', 'Ctrl+Shift+z'], label: 'keys.redo', run: () => void view.step(1) },
    { keys: ['Space'], label: 'keys.best', run: () => void view.playBest() },
    { keys: ['Enter'], label: 'keys.engine-moves', run: () => void view.engineMoves() },
    { keys: ['a'], label: 'keys.hint', run: () => void view.hint() },
    { keys: ['x'], label: 'keys.threat', run: () => void view.threat() },
    { keys: ['l'], label: 'keys.engine', run: () => view.analyst.turn(!view.analyst.active) },
    { keys: ['h'], label: 'keys.overlay', run: () => say(view.candidates.nextOverlay()) },
    { keys: ['n'], label: 'keys.next-mistake', run: () => view.review.mistake(1) },
    { keys: ['Shift+n'], label: 'keys.previous-mistake', run: () => view.review.mistake(-1) },
    { keys: ['f'], label: 'keys.mirror', run: () => view.mirror() },
    { keys: ['p'], label: 'keys.pass', run: () => { if (!view.pass.hidden) void view.play('pass'); } },
    { keys: COLUMNS, label: 'keys.column', shown: 3, run: drop },
    { keys: ['m'], label: 'keys.type', run: () => view.moveInput.focus() },
    { keys: ['b'], label: 'keys.focus-board', run: () => view.board.el.focus() },
    { keys: ['Escape'], label: 'keys.cancel', run: () => view.quiet() },
    { keys: ['g'], label: 'keys.new', run: () => view.page.newGame() },
    { keys: ['i'], label: 'keys.import', run: () => view.page.importGame() },
    { keys: ['?', 'Shift+?', 'Shift+/'], label: 'keys.help', shown: 1, run: openKeys },
  ];
}
