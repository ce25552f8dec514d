/** Requests that are refused, as errors. */

/** A refused request: one line with what was found, what was expected and what to do, and a code for programs. */
export class BanyanError extends Error {
  /**
   * @param {{ error: string, code: string, field?: string }} refusal
   * @param {unknown} [cause]
   */
  constructor({ error, code, field }, cause) {
    super(error, cause === undefined ? undefined : { cause });
    this.name = code === 'aborted' ? 'AbortError' : 'BanyanError';
    this.code = code;
    this.field = field;
  }
}

/**
 * What the engine has thrown: a refusal as JSON, or a fault.
 * @param {unknown} thrown
 */
export function asError(thrown) {
  if (typeof thrown === 'string') return new BanyanError(JSON.parse(thrown));
  if (thrown instanceof WebAssembly.RuntimeError) {
    const error = `a fault of the engine (${thrown.message}): expected none; load the page or start the program again, and report the request`;
    return new BanyanError({ error, code: 'internal' }, thrown);
  }
  return thrown;
}
