/** The page of a game: board, players, buttons and panels. */

import { fill, h, iconButton, typed } from './dom.js';
import { hasKeys, t, textOr, withKey } from './i18n.js';
import { note, say } from './announce.js';
import { Analyst } from './analysis.js';
import { Board } from './board/board.js';
import { chip } from './board/mini.js';
import { marksOfLine } from './board/layout.js';
import { mirrored, mirroredCell } from './board/mirror.js';
import { overlayItems } from './board/overlay.js';
import { GameClock, clockText } from './clock.js';
import { Game } from './game.js';
import { countsMargins, gameOf, letterOf, overText, shownTitle, sidesOf, titleOf } from './games.js';
import { Opponent, USUAL_BUDGET } from './opponent.js';
import { setShortcuts } from './keys.js';
import { shortcutsOf } from './play-keys.js';
import { change, settings } from './settings.js';
import { writeGame } from './spot.js';
import { explanation, term } from './term.js';
import { Tree, movesTo, walk } from './tree.js';
import { playerName } from './dialogs/player-picker.js';
import { EditDialog, cellsText } from './dialogs/edit-position.js';
import { openShare } from './dialogs/share.js';
import { CandidatesPanel } from './panels/candidates.js';
import { CurvePanel } from './panels/curve.js';
import { GraphPanel } from './panels/graph.js';
import { MovesPanel } from './panels/moves.js';
import { ReviewPanel } from './panels/review.js';
import { Refused, isAbort, post } from './api.js';

/** @import { About, Side, State } from './types.js' */
/** @import { GameAddress } from './spot.js' */

/** Budget of a hint. */
const HINT = '1s';

export class PlayView {
  #fallen = false;
  #hinted = false;
  /** @type {unknown} */
  #shownFacts = null;
  /** The moves that are being made. @type {Promise<unknown> | null} */
  #moving = null;
  /** Whether the first position is set up before the first move. */
  #setsUp = false;
  #left = false;
  /** Marks of the user, by node. @type {Map<number, [number, number][]>} */
  #marks = new Map();
  /** Whether the current node was selected by the address. */
  #visiting = false;
  /** Whether margins count in the game, not only the winner. */
  #counts;

  /**
   * @param {About} about
   * @param {GameAddress} address
   * @param {{ address: (hash: string, replaces: boolean) => void, open: (hash: string) => void, newGame: () => void, importGame: () => void }} page
   */
  constructor(about, address, page) {
    this.about = about;
    this.page = page;
    this.game = new Game(address);
    this.sides = sidesOf(address.game);
    this.#counts = countsMargins(address.game);
    this.analyst = new Analyst(this.game);
    this.clock = new GameClock(this.game);
    this.opponent = new Opponent(this.game, (side) => this.clock.budget(side), true);
    this.hinter = new Opponent(this.game, () => null, false);
    this.board = new Board((move) => void this.play(move), (steps) => void this.step(steps), (from, to) => this.#mark(from, to), (text) => this.#tell(text, 'hint'));
    this.title = h('h1', {}, titleOf(this.game.spec));
    this.turn = h('span', { class: 'turn', id: 'board-text' });
    this.remark = h('span', { class: 'remark' });
    this.rematch = h('button', { type: 'button', title: t('play.rematch-title'), onclick: () => this.playAgain() }, t('play.rematch'));
    this.reviewNow = h('button', { type: 'button', onclick: () => this.#reviewNow() }, t('review.start'));
    this.after = h('div', { class: 'buttons after', hidden: true }, this.rematch, this.reviewNow);
    this.strips = [0, 1].map((side) => h('div', { class: `strip side-${side}` }));
    this.moveInput = h('input', { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: t('play.type'), 'aria-label': t('play.type') });
    this.form = h('form', { class: 'type-move', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void this.#typed(); } }, this.moveInput);
    this.pass = h('button', { type: 'button', hidden: true, onclick: () => void this.play('pass') }, t('play.pass'));
    this.candidates = new CandidatesPanel(this.game, this.analyst, about, this.sides, { hover: (line) => this.#hover(line), play: (line) => void this.play(line[0] ?? '') });
    this.curve = new CurvePanel(this.game, this.sides, this.#counts);
    this.moves = new MovesPanel(this.game);
    this.review = new ReviewPanel(this.game, this.sides, { hover: (line) => this.#hover(line) });
    this.graph = new GraphPanel(this.game, this.analyst);
    this.facts = h('section', { class: 'card facts', hidden: true, 'aria-label': t('structure.title') });
    this.el = this.#layout();
    this.#listen();
    setShortcuts(shortcutsOf(this));
  }

  #layout() {
    const controls = h('div', { class: 'controls', role: 'toolbar', 'aria-label': t('play.controls') },
      iconButton('first', withKey(t('play.first'), '\u2191'), () => void this.first()), iconButton('previous', withKey(t('play.previous'), '\u2190'), () => void this.step(-1)),
      iconButton('next', withKey(t('play.next'), '\u2192'), () => void this.step(1)), iconButton('last', withKey(t('play.last'), '\u2193'), () => void this.last()),
      h('span', { class: 'gap' }), iconButton('undo', withKey(t('play.undo'), 'z'), () => void this.undo()), iconButton('hint', withKey(t('play.hint'), 'a'), () => void this.hint()),
      iconButton('engine', withKey(t('play.engine-moves'), 'Enter'), () => void this.engineMoves()), this.pass, this.form, this.after);
    const tools = h('div', { class: 'game-tools' },
      iconButton('edit', t('edit.title'), () => this.edit()), iconButton('share', t('share.title'), () => this.share()));
    const stage = h('section', { class: 'stage', 'aria-label': t('play.board') }, h('div', { class: 'title-line' }, this.title, tools), this.strips[1] ?? null,
      this.board.el, this.strips[0] ?? null, h('p', { class: 'turn-line' }, this.turn, ' ', this.remark), controls);
    const panels = h('aside', { class: 'panels', 'aria-label': t('play.panels') }, this.candidates.el, this.moves.el, this.curve.el, this.review.el, this.facts, this.graph.el);
    return h('main', { class: `play pieces-${gameOf(this.game.spec)?.style ?? 'stones'}`, id: 'main', tabindex: '-1' }, stage, panels);
  }

  #listen() {
    const { game } = this;
    game.on('played', () => { this.#fallen = true; });
    game.on('moved', () => {
      this.page.address(game.address, this.#visiting);
      this.#endHint();
    });
    game.on('tree', () => this.page.address(game.address, this.#visiting));
    game.on('state', ({ state }) => this.#show(state));
    game.on('look', () => {
      this.page.address(game.address, true);
      this.#overlay();
    });
    game.on('result', (node) => node === game.cursor && this.#overlay());
    game.on('played', ({ node, state }) => this.#announce(node.move, state));
    this.analyst.on('phase', () => this.#overlay());
    for (const player of [this.opponent, this.hinter]) {
      player.on('phase', () => {
        this.#strips();
        if (player.message) note(player.message === 'offline' ? t('offline') : player.message, { kind: 'error' });
      });
    }
    this.opponent.on('queue', () => {
      note(t('queue.place', this.opponent.place ?? {}));
      this.clock.hold();
    });
    this.opponent.on('begins', () => this.clock.go());
    this.clock.on('tick', () => this.#clocks());
    this.clock.on('flag', (/** @type {Side} */ side) => this.#flag(side));
  }

  /**
   * The time of a side is up: no more moves are made.
   * @param {Side} side
   */
  #flag(side) {
    note(t('clock.fallen', { side: this.sides[side] }));
    this.opponent.cancel();
    const { state } = this.game;
    if (state) this.#show(state);
  }

  /** Shows the game of the address. */
  async begin() {
    const { game } = this;
    const state = await game.goTo(game.cursor);
    void this.#learnSides();
    if (this.#left) return;
    if (game.cursor.children.length === 0 && !this.#setsUp) this.opponent.answer(state);
    this.#watchTogether();
  }

  /** Loads the sides of all moves of the tree, by the last position of each variation. */
  async #learnSides() {
    /** @type {import('./tree.js').GameNode[]} */
    const ends = [];
    walk(this.game.tree.root, (node) => node.children.length === 0 && ends.push(node));
    for (const end of ends.slice(0, 60)) await this.game.load(end).catch(() => undefined);
    this.moves.render();
    this.curve.render();
  }

  /** Goes on with the analysis if it was on before; it would reveal good moves where an engine plays. */
  #watchTogether() {
    const [first, second] = this.game.players;
    if (settings.engine && first === '' && second === '') this.analyst.turn(true);
  }

  /**
   * A position in the orientation that the user has chosen.
   * @param {State} state
   */
  #seen(state) {
    return settings.mirror ? mirrored(state) : state;
  }

  /** Mirrors the board from left to right, or back. */
  mirror() {
    change({ mirror: !settings.mirror });
    const { state } = this.game;
    if (state) this.#show(state);
    say(t(settings.mirror ? 'play.mirrored' : 'play.not-mirrored'));
  }

  /** @param {State} state */
  #show(state) {
    const side = state.to_move;
    const title = shownTitle(state.title);
    this.title.textContent = title;
    document.title = t('page.title-of', { title });
    this.board.show(this.#seen(state), { playable: side !== null && this.clock.fallen === null, fallen: this.#fallen });
    this.#fallen = false;
    this.#endHint();
    this.pass.hidden = !state.legal.some((legal) => legal.move === 'pass');
    this.#strips();
    this.#overlay();
    this.#showMarks();
  }

  /**
   * Adds a mark of the user to the current position, or removes it.
   * @param {number} from a cell as it is shown
   * @param {number} to the same one for a ring, another one for an arrow
   */
  #mark(from, to) {
    const { cursor } = this.game;
    const mark = /** @type {[number, number]} */ ([this.#cell(from), this.#cell(to)]);
    const marks = this.#marks.get(cursor.id) ?? [];
    const others = marks.filter((one) => one.join() !== mark.join());
    this.#marks.set(cursor.id, others.length < marks.length ? others : [...marks, mark]);
    this.#showMarks();
  }

  /**
   * Converts between a cell of the game and a cell as shown; the conversion is its own inverse.
   * @param {number} cell
   */
  #cell(cell) {
    const picture = this.game.state?.picture;
    return picture && settings.mirror ? mirroredCell(picture, cell) : cell;
  }

  #showMarks() {
    this.board.setMarks((this.#marks.get(this.game.cursor.id) ?? []).map(([from, to]) => [this.#cell(from), this.#cell(to)]));
  }

  /** @param {State} state */
  #turnText(state) {
    if (state.result) return overText(state, this.game.players);
    if (this.clock.fallen !== null) return t('clock.fallen', { side: this.sides[this.clock.fallen] });
    const side = this.sides[state.to_move ?? 0] ?? '';
    const player = this.game.players[state.to_move ?? 0] ?? '';
    if (state.legal.length === 1 && state.legal[0]?.move === 'pass') return t('play.must-pass', { side });
    if (player === '' && state.moves.at(-1)?.side === state.to_move) return this.#versus ? t('play.you-move-again') : t('play.moves-again', { side });
    if (player === '') return t('play.to-move', { side });
    if (this.opponent.thinking) return t('play.engine-to-move', { side, player: playerName(player) });
    return t(hasKeys ? 'play.engine-waits' : 'play.engine-waits-for-button', { side, player: playerName(player) });
  }

  #strips() {
    const state = this.game.state;
    if (state) this.turn.textContent = this.#turnText(state);
    const isOver = state !== null && (state.result !== null || this.clock.fallen !== null);
    this.turn.classList.toggle('over', isOver);
    this.after.hidden = !isOver;
    this.form.hidden = isOver;
    this.strips.forEach((strip, i) => {
      const side = /** @type {Side} */ (i);
      const player = this.game.players[side];
      const thinking = (this.opponent.thinking && this.opponent.side === side) || (this.hinter.thinking && this.hinter.side === side);
      strip.classList.toggle('to-move', state?.to_move === side);
      strip.classList.toggle('thinking', thinking);
      strip.classList.toggle('won', state?.result?.winner === side);
      const points = state?.points?.[side];
      const letter = letterOf(this.game.spec, side);
      fill(strip, chip(side), h('b', {}, this.sides[side]), letter ? h('span', { class: 'letter' }, letter) : null, h('span', { class: 'player-name' }, playerName(player ?? '')),
        thinking ? h('span', { class: 'thinking-note' }, h('i', { class: 'dots', 'aria-hidden': 'true' }), t('play.thinking')) : null,
        this.clock.terms ? h('span', { class: `clock${this.clock.running === side ? ' running' : ''}` }, clockText(this.clock.left[side] ?? 0)) : null,
        points === undefined ? null : h('span', { class: 'points', role: 'img', 'aria-label': t('play.points', { side: this.sides[side] ?? '', n: points }) }, String(points)));
    });
  }

  #clocks() {
    this.strips.forEach((strip, side) => {
      const clock = strip.querySelector('.clock');
      if (!clock) return;
      clock.textContent = clockText(this.clock.left[side] ?? 0);
      clock.classList.toggle('running', this.clock.running === side);
    });
  }

  /** @param {State} state */
  #facts(state) {
    // Threats are a hint: on request only.
    const onRequest = gameOf(this.game.spec)?.style === 'drop' && this.game.overlay !== 'structure';
    const facts = onRequest ? [] : state.structure?.facts ?? [];
    // An open explanation stays open.
    if (facts.length > 0 && facts === this.#shownFacts) return;
    this.#shownFacts = facts;
    this.facts.hidden = facts.length === 0;
    if (facts.length === 0) return;
    const meaning = explanation();
    const name = (/** @type {string} */ key) => {
      const [label, text] = [key.replaceAll('-', ' '), textOr(`fact.${key}`, '')];
      return text ? term(label, text, meaning) : label;
    };
    fill(this.facts, h('h2', {}, t('structure.title')), h('dl', { class: 'fact-list' },
      facts.map((fact) => h('div', {}, h('dt', {}, name(fact.name)), h('dd', {}, fact.text)))), meaning);
  }

  /** Shows the numbers of the candidates on the board. */
  #overlay() {
    const state = this.game.state && this.#seen(this.game.state);
    const { overlay } = this.game;
    if (state) this.#facts(state);
    const kind = overlay === 'structure' && !state?.structure ? 'win' : overlay;
    this.board.setStructure(kind === 'structure' ? state?.structure ?? null : null);
    const analysis = this.analyst.active && state ? this.game.resultOf(this.game.cursor) : null;
    this.board.setOverlay(analysis && state ? overlayItems(state, analysis, kind, this.#counts) : []);
  }

  /** @param {string[]} line */
  #hover(line) {
    const { state } = this.game;
    if (state) this.board.setGhosts(marksOfLine(this.#seen(state), line));
  }

  /**
   * @param {string} move
   * @param {State} state
   */
  #announce(move, state) {
    const mover = this.sides[state.moves.at(-1)?.side ?? 0] ?? '';
    const points = state.points ? ` ${state.points[0]}\u2013${state.points[1]}.` : '';
    say(`${mover}: ${move}.${points} ${this.#turnText(state)}`);
  }

  /**
   * Makes a move after those before it; with `ifLegal` only if it is then legal.
   * @param {string} move
   * @param {{ ifLegal?: boolean }} [options]
   */
  play(move, { ifLegal = false } = {}) {
    const isPlayed = async () => !ifLegal || (await this.#known())?.legal.some((legal) => legal.move === move);
    const played = this.inOrder(async () => (await isPlayed() ? this.#play(move) : undefined));
    this.#moving = played;
    void played.finally(() => { if (this.#moving === played) this.#moving = null; });
    return played;
  }

  /**
   * Runs an action at once, or after the moves that the server has not answered yet: it applies to the position after
   * them.
   * @param {() => unknown} action
   * @returns {Promise<unknown>}
   */
  inOrder(action) {
    return this.#moving ? this.#moving.then(action) : Promise.resolve(action());
  }

  /**
   * Makes a move; false if it is refused.
   * @param {string} move
   */
  async #play(move) {
    const { state } = this.game;
    if (!move || state?.result || this.opponent.thinking || this.clock.fallen !== null) return true;
    this.board.expect(move);
    try {
      await this.game.play(move);
      return true;
    } catch (err) {
      if (state) this.#show(state);
      this.#reportFailure(err);
      return false;
    }
  }

  /** @param {unknown} err */
  #reportFailure(err) {
    if (isAbort(err)) return;
    if (err instanceof Refused && err.status > 0) this.#tell(err.message, 'error');
    else note(err instanceof Error && err.message ? err.message : t('offline'), { kind: 'error' });
  }

  /**
   * Shows and announces a remark on the position, until another one is shown.
   * @param {string} text
   * @param {'hint' | 'error'} kind
   */
  #tell(text, kind) {
    this.remark.textContent = text;
    this.remark.className = `remark ${kind}`;
    say(text);
  }

  /** Hides the hint and the remark on the position. */
  #endHint() {
    this.#hinted = false;
    this.remark.textContent = '';
    this.board.setHint(null);
    this.board.setGhosts([]);
  }

  /** Makes the typed move and leaves the box, so that keys work again; a move that is refused stays for correction. */
  async #typed() {
    const move = typed(this.moveInput.value);
    this.moveInput.value = '';
    this.moveInput.blur();
    if (await this.play(move) !== false || document.activeElement !== document.body) return;
    this.moveInput.value = move;
    this.moveInput.focus();
    this.moveInput.select();
  }

  /** Begins the game again with sides swapped. */
  playAgain() {
    const { spec, position, players, budget } = this.game;
    const tree = new Tree();
    change({ engine: false });
    this.page.open(writeGame({ game: spec, position, tree, cursor: tree.root, players: [players[1], players[0]], budget }));
  }

  #reviewNow() {
    this.review.el.scrollIntoView({ block: 'nearest' });
    void this.review.run();
  }

  first() {
    return this.inOrder(() => this.game.goTo(this.game.tree.root));
  }

  last() {
    return this.inOrder(() => this.game.goTo(this.game.line.at(-1) ?? this.game.cursor));
  }

  /** @param {number} steps */
  step(steps) {
    return this.inOrder(() => this.game.step(steps));
  }

  /** Takes a move back; against an engine, back to the user's last turn. A step forward restores the moves. */
  undo() {
    return this.inOrder(() => this.#undo());
  }

  /** Whether a person plays against an engine. */
  get #versus() {
    return new Set(this.game.players.map((player) => player === '')).size === 2;
  }

  async #undo() {
    const { game } = this;
    this.opponent.cancel();
    let node = game.cursor.parent;
    while (this.#versus && node?.parent) {
      const state = await game.load(node);
      if (state.to_move !== null && game.players[state.to_move] === '') break;
      node = node.parent;
    }
    if (node) await game.takeBack(node);
  }

  /** Shows a good move, or hides it. */
  async hint() {
    const { game } = this;
    if (this.#hinted) return this.#endHint();
    const state = await this.#known();
    if (!state || state.to_move === null) return;
    const at = game.cursor;
    const move = await this.hinter.suggest('best', HINT);
    if (!move || game.cursor !== at) return;
    this.#hinted = true;
    this.board.setHint(marksOfLine(this.#seen(state), [move])[0] ?? null);
    this.#tell(t('play.hint-is', { move: moveText(state, move) }), 'hint');
  }

  /** Shows the move that the opponent would make if it were to move, or hides it. */
  async threat() {
    const { game } = this;
    if (this.#hinted) return this.#endHint();
    const state = await this.#known();
    if (!state?.picture || state.to_move === null) return;
    const { cursor } = game;
    const side = /** @type {Side} */ (1 - state.to_move);
    try {
      const { position } = await post('api/edit', { game: game.spec, cells: cellsText(state.picture), to_move: side });
      const spot = { game: game.spec, position, moves: [] };
      /** @type {State} */
      const passed = await post('api/state', spot);
      if (game.cursor !== cursor) return;
      const move = passed.result ? null : await this.hinter.suggest('best', HINT, { spot, side });
      if (!move || game.cursor !== cursor) return;
      this.#hinted = true;
      this.board.setHint(marksOfLine(this.#seen(passed), [move])[0] ?? null);
      this.#tell(t('play.threat-is', { side: this.sides[side], move: moveText(passed, move) }), 'hint');
    } catch (err) {
      if (game.cursor !== cursor) return;
      // If the number of stones determines the side to move, a pass is impossible.
      if (err instanceof Refused && err.status === 400) this.#tell(t('play.no-threat'), 'hint');
      else this.#reportFailure(err);
    }
  }

  /** Has the engine of the side to move, or the analysing player, make a move now. */
  engineMoves() {
    return this.inOrder(() => this.#engineMoves());
  }

  async #engineMoves() {
    const { players } = this.game;
    const state = await this.#known();
    if (!state || state.to_move === null || this.clock.fallen !== null) return;
    const player = players[state.to_move] || this.game.analyst;
    await this.opponent.move(player, this.game.budget || USUAL_BUDGET);
  }

  /** Plays the best move of the analysis; starts the analysis if there is none. */
  async playBest() {
    const best = this.game.resultOf(this.game.cursor)?.best;
    if (best && this.analyst.active) await this.play(best);
    else this.analyst.turn(true);
  }

  edit() {
    void this.#known().then((state) => state && new EditDialog(this.game, state, this.sides, this.page.open));
  }

  /** Opens the editor as the first thing of a new position. */
  editFirst() {
    this.#setsUp = true;
    this.edit();
  }

  share() {
    void this.#known().then((state) => state && openShare(this.game, state));
  }

  /**
   * The position at the cursor, once it is loaded, so that a click or key right after the start of the page is not lost; `null` after a
   * failure, which the view reports, and once the view is left.
   * @returns {Promise<State | null>}
   */
  async #known() {
    const { game } = this;
    const at = game.cursor;
    const state = await game.load(at).catch(() => null);
    if (this.#left) return null;
    return game.cursor === at ? state : this.#known();
  }

  /** Ends every search and hides hints. */
  quiet() {
    this.opponent.cancel();
    this.hinter.cancel();
    this.#endHint();
    this.#marks.delete(this.game.cursor.id);
    this.#showMarks();
    this.analyst.turn(false);
  }

  /**
   * Moves the cursor to the place in an address, if it belongs to this game; its moves are added to the tree.
   * @param {GameAddress} address
   */
  visit(address) {
    const { game } = this;
    const same = game.spec === address.game && game.position === address.position && game.budget === address.budget && game.players.join() === address.players.join();
    if (!same) return false;
    this.#visiting = true;
    game.restoreAll();
    game.lookAt({ analyst: address.analyst ?? '', overlay: address.overlay ?? '' });
    walk(address.tree.root, (node) => game.tree.addLine(game.tree.root, movesTo(node)));
    game.emit('tree');
    void game.goTo(game.tree.addLine(game.tree.root, movesTo(address.cursor))).catch(() => undefined);
    this.#visiting = false;
    return true;
  }

  /** Ends everything that runs for this page. */
  leave() {
    this.#left = true;
    this.clock.stop();
    this.analyst.stop();
    this.opponent.cancel();
    this.hinter.cancel();
    this.review.cancel();
    setShortcuts([]);
  }
}

/**
 * A move in a sentence: `column 3` if moves are columns, whose names are mere numbers.
 * @param {State} state
 * @param {string} move
 */
function moveText(state, move) {
  const at = state.legal.find((legal) => legal.move === move)?.at;
  return at && 'column' in at ? t('play.column', { move }) : move;
}
