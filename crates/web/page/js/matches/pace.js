/** Work that is requested more often than it has to be done. */

/**
 * Runs work at most once in `pauseMs` milliseconds, and always once after the last request, so that the latest data is
 * processed.
 * @param {() => void} work
 * @param {number} pauseMs
 */
export function paced(work, pauseMs) {
  let last = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null;
  const run = () => {
    timer = null;
    last = performance.now();
    work();
  };
  return {
    ask: () => {
      if (timer !== null) return;
      const wait = last + pauseMs - performance.now();
      if (wait <= 0) run();
      else timer = setTimeout(run, wait);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

/**
 * Removes every second item of a list with more than `most`; the last one stays.
 * @template T
 * @param {T[]} items
 * @param {number} most
 */
export function thinned(items, most) {
  return items.length <= most ? items : items.filter((_, i) => i % 2 === (items.length - 1) % 2);
}
