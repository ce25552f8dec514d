/** The top of the search tree as a live picture; selecting a node shows its board. */

import { fill, h, s } from '../dom.js';
import { post } from '../api.js';
import { short, t, whole } from '../i18n.js';
import { percentText, proven } from '../words.js';
import { note } from '../announce.js';
import { miniBoard } from '../board/mini.js';
import { layoutGraph } from './graph-layout.js';

/** @import { State, TreeNode } from '../types.js' */
/** @import { Game } from '../game.js' */
/** @import { Analyst } from '../analysis.js' */

/** Interval between two pictures of a running search. */
const REFRESH_MS = 1000;
const COLUMN = 112;
const ROW = 34;

/** @param {unknown} err */
function failed(err) {
  note(err instanceof Error && err.message ? err.message : t('offline'), { kind: 'error' });
}

export class GraphPanel {
  /** @type {TreeNode[]} */
  #nodes = [];
  #opened = -1;
  #timer = 0;
  #width = 0;

  /**
   * @param {Game} game
   * @param {Analyst} analyst
   */
  constructor(game, analyst) {
    this.game = game;
    this.analyst = analyst;
    this.hint = h('p', { class: 'empty' }, t('graph.empty'));
    this.svg = s('svg', { class: 'search-graph', role: 'group', 'aria-label': t('graph.title') });
    this.card = h('div', { class: 'graph-node', hidden: true, 'aria-live': 'polite' });
    this.scroller = h('div', { class: 'graph-scroller', tabindex: '0', role: 'region', 'aria-label': t('graph.title') }, this.svg);
    this.size = h('select', { 'aria-label': t('graph.size') }, [20, 60, 150].map((n) => h('option', { value: n, selected: n === 60 }, t('graph.nodes', { n }))));
    this.size.addEventListener('change', () => void this.refresh());
    this.large = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => this.#enlarge() }, t('graph.large'));
    this.el = h('details', { class: 'card graph' }, h('summary', {}, h('h2', {}, t('graph.title'))), h('div', { class: 'graph-tools' }, this.size, this.large), this.hint,
      h('div', { class: 'graph-body' }, this.scroller, this.card));
    this.el.addEventListener('toggle', () => void this.refresh());
    this.el.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.el.classList.contains('large')) return;
      event.stopPropagation();
      this.#enlarge();
    });
    analyst.on('phase', () => void this.refresh());
    game.on('moved', () => this.#close());
  }

  /** Requests the picture again while it is open and the search runs. */
  async refresh() {
    window.clearTimeout(this.#timer);
    if (!this.el.open) return;
    this.hint.textContent = t('graph.empty');
    try {
      const tree = await this.analyst.tree(Number(this.size.value));
      if (tree) {
        this.#nodes = tree.nodes;
        this.#draw();
      }
    } catch (err) {
      this.#nodes = [];
      if (err instanceof Error && err.message) this.hint.textContent = err.message;
    }
    this.hint.hidden = this.#nodes.length > 0;
    this.scroller.hidden = this.#nodes.length === 0;
    window.clearTimeout(this.#timer);
    if (this.analyst.phase === 'thinking') this.#timer = window.setTimeout(() => void this.refresh(), REFRESH_MS);
  }

  #draw() {
    const focused = document.activeElement?.getAttribute('data-node');
    const { places, columns, rows } = layoutGraph(this.#nodes);
    this.#width = columns * COLUMN;
    this.svg.setAttribute('width', String(this.#width));
    this.svg.setAttribute('height', String(rows * ROW + 16));
    const most = this.#nodes[0]?.visits ?? 1;
    const at = (/** @type {number} */ i) => ({ x: (places[i]?.column ?? 0) * COLUMN + 22, y: (places[i]?.row ?? 0) * ROW + 24 });
    const edges = this.#nodes.flatMap((node, i) => node.edges.flatMap((edge) => {
      if (edge.to === null || !places[edge.to]) return [];
      const [a, b] = [at(i), at(edge.to)];
      const tree = places[edge.to]?.parent === i;
      const middle = (a.x + b.x) / 2;
      return [s('path', {
        class: tree ? 'link' : 'link shared', d: `M${a.x} ${a.y}C${middle} ${a.y} ${middle} ${b.y} ${b.x} ${b.y}`,
        'stroke-width': (1 + 5 * Math.sqrt(edge.visits / most)).toFixed(1),
      })];
    }));
    if (this.svg.childElementCount === 0) this.#showRoot(at(0).y);
    fill(this.svg, edges, this.#nodes.map((node, i) => places[i] && this.#node(node, i, at(i), most, places[i]?.move ?? '')));
    /** @type {SVGElement | null} */ (focused ? this.svg.querySelector(`[data-node="${focused}"]`) : null)?.focus();
  }

  /**
   * Scrolls to the position searched if the picture is new.
   * @param {number} y
   */
  #showRoot(y) {
    requestAnimationFrame(() => { this.scroller.scrollTop = y - this.scroller.clientHeight / 2; });
  }

  /**
   * @param {TreeNode} node
   * @param {number} i
   * @param {{ x: number, y: number }} at
   * @param {number} most
   * @param {string} move
   */
  #node(node, i, at, most, move) {
    const proof = proven(node.proof);
    const r = 5 + 9 * Math.sqrt(node.visits / most);
    const sign = proof && proof.kind !== 'bounded' ? proof.sign : '';
    const figure = `${short(node.visits)} · ${sign && proof ? proof.text : percentText(node.value) + '%'}`;
    // The label begins with the visible text, so that users of voice control can name the node.
    const label = t('graph.node', { shown: [move || t('graph.root'), figure, sign].filter(Boolean).join(' '), n: whole(node.visits) });
    const open = () => void this.#open(i).catch(failed);
    return s('g', {
      class: `graph-dot side-${node.to_move === 'first' ? 0 : 1}${i === this.#opened ? ' open' : ''} ${proof?.kind ?? ''}`, tabindex: '0', role: 'button',
      'aria-label': label, 'data-node': i, transform: `translate(${at.x} ${at.y})`, onclick: open,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        open();
      },
    },
    s('circle', { class: 'hit', r: 17 }), s('circle', { class: 'dot', r, style: `--value:${((node.value + 1) * 50).toFixed(0)}%` }),
    s('text', { class: 'name', x: r + 5, y: -3 }, move), ' ', s('text', { class: 'figure', x: r + 5, y: 9 }, figure), ' ', sign ? s('text', { class: 'sign', y: 0.5 }, sign) : null);
  }

  /**
   * Shows the board of a node.
   * @param {number} i
   */
  async #open(i) {
    const node = this.#nodes[i];
    if (!node) return;
    this.#opened = i;
    this.#draw();
    const base = this.analyst.node ?? this.game.cursor;
    const moves = node.moves ?? [];
    const spot = this.game.spot(base);
    /** @type {State} */
    const state = await post('api/state', { ...spot, moves: [...spot.moves, ...moves] });
    if (this.#opened !== i) return;
    const go = async () => {
      const end = this.game.tree.addLine(base, moves);
      this.game.emit('tree');
      await this.game.goTo(end);
    };
    this.card.hidden = false;
    fill(this.card, state.picture && miniBoard(state),
      h('p', { class: 'line' }, moves.join('\u2002') || t('graph.root')),
      h('p', {}, t('graph.visits', { n: whole(node.visits) }), ' · ', proven(node.proof)?.text ?? `${percentText(node.value)} %`),
      h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => void go().catch(failed) }, t('graph.go')),
        h('button', { type: 'button', class: 'quiet', onclick: () => this.#close() }, t('close'))));
  }

  /** Toggles between the whole page and the panel. */
  #enlarge() {
    const large = this.el.classList.toggle('large');
    this.large.setAttribute('aria-pressed', String(large));
    this.#showRoot((this.svg.height.baseVal.value || 0) / 2);
  }

  #close() {
    this.#opened = -1;
    this.card.hidden = true;
  }
}
