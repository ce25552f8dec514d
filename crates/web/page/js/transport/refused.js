/** Requests that were refused or given up. */

/** A request that was refused, or that reached no server (`status` 0). */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {string} [field]
   */
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/** @param {unknown} err */
export function isAbort(err) {
  return err instanceof DOMException && err.name === 'AbortError';
}
