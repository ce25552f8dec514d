/** Work that is asked for more often than it needs to be done. */

/**
 * Runs work at most once in so many milliseconds, and always once more after it was last asked for: what came last is never left out.
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
 * A list with every second item left out once it has more than `most`; the last one stays.
 * @template T
 * @param {T[]} items
 * @param {number} most
 */
export function thinned(items, most) {
  return items.length <= most ? items : items.filter((_, i) => i % 2 === (items.length - 1) % 2);
}
