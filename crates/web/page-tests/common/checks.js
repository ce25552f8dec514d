/** What every view of the page must satisfy, checked in the browser. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The findings in the view that a page shows: of axe; whatever sticks out of the window or covers a control; numbers and
 * labels on boards whose contrast is low, which axe does not look at.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function findings(page) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  const { axe, scroll, headings } = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run({ resultTypes: ['violations'], elementRef: false, iframes: false });
    const axe = violations.map((/** @type {any} */ one) => `axe ${one.id}: ${one.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).join(' | ')}`);
    const boxes = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
    const scroll = boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => `${box.tagName} scrolls sideways: ${box.scrollWidth} of ${box.clientWidth}`);
    const headings = /** @type {any} */ (globalThis).emptyHeadings?.splice(0) ?? [];
    return { axe, scroll, headings };
  });
  return [...axe, ...scroll, ...headings, ...await page.evaluate(outside), ...await page.evaluate(faint)];
}

/** Records headings that are shown without a text, if only until an answer comes; `findings` reports them. Runs in the browser, before the page. */
export function watchHeadings() {
  const found = /** @type {any} */ (globalThis).emptyHeadings = /** @type {string[]} */ ([]);
  new MutationObserver(() => {
    for (const heading of document.querySelectorAll('h1, h2, h3')) {
      if (heading.textContent === '') found.push(`shown without a text: ${heading.outerHTML} in ${heading.parentElement?.outerHTML.slice(0, 120)}`);
    }
  }).observe(document, { childList: true, subtree: true });
}

/** Controls that are not inside the window, or are covered where they are in view, and tables that leave their card. Runs in the browser. */
function outside() {
  // A panel that fills the page stands for the page, as a dialog does.
  const dialog = document.querySelector('dialog[open]') ?? document.querySelector('.graph.large');
  const controls = [...(dialog ?? document).querySelectorAll('button, a[href], input, select, textarea, summary')];
  const problems = [];
  for (const control of controls) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.matches('.skip')) continue;
    const box = control.getBoundingClientRect();
    const name = control.outerHTML.slice(0, 120);
    if (box.left < -0.5 || box.right > innerWidth + 0.5) problems.push(`outside the window (${box.left.toFixed(0)} to ${box.right.toFixed(0)} of ${innerWidth}): ${name}`);
    if (dialog && control.closest('header, footer') && (box.top < 0 || box.bottom > innerHeight)) problems.push(`below the window: ${name}`);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    // What scrolls away below the bars of a dialog or of the page is reached by scrolling.
    const bars = [...document.querySelectorAll('dialog[open] > header, dialog[open] footer, header.top, .note, .offline:not([hidden])')].map((bar) => bar.getBoundingClientRect());
    const isBar = control.closest('dialog > header, dialog footer, header.top, .note') !== null;
    const list = control.closest('.move-list, .record-list, .setting-list, .graph-scroller')?.getBoundingClientRect();
    const frame = dialog?.getBoundingClientRect();
    const scrolled = (frame && (y < frame.top || y > frame.bottom)) || (!isBar && bars.some((bar) => y > bar.top && y < bar.bottom)) || (list && (y < list.top + 2 || y > list.bottom - 2));
    if (scrolled || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    if (top && top !== control && !control.contains(top) && top.closest('label')?.contains(control) !== true) problems.push(`covered by ${top.outerHTML.slice(0, 80)}: ${name}`);
  }
  for (const table of document.querySelectorAll('.card table')) {
    const [box, card] = [table.getBoundingClientRect(), table.closest('.card')?.getBoundingClientRect()];
    if (card && box.width > 0 && box.right > card.right) problems.push(`a table leaves its card: ${box.right.toFixed(0)} of ${card.right.toFixed(0)}: ${table.outerHTML.slice(0, 80)}`);
  }
  return problems;
}

/** Texts of drawings with a contrast below 4.5 to what is behind them. Runs in the browser. */
function faint() {
  const rgb = (/** @type {string} */ colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (/** @type {string} */ colour) => {
    const [r = 0, g = 0, b = 0] = rgb(colour).slice(0, 3).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (/** @type {Element} */ text) => {
    const plate = text.parentElement?.matches('.overlay') ? text.previousElementSibling : null;
    if (plate) return getComputedStyle(plate).fill;
    for (let at = text.closest('svg')?.parentElement ?? null; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (rgb(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('.overlay text, svg .label, svg .axis, .graph-dot .name, .graph-dot .figure')].filter((text) => text.checkVisibility()).flatMap((text) => {
    const [one, other] = [luminance(getComputedStyle(text).fill), luminance(ground(text))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return contrast < 4.5 ? [`contrast ${contrast.toFixed(1)} of ${text.textContent}, ${getComputedStyle(text).fill} on ${ground(text)}`] : [];
  });
}
