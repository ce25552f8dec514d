// The module for Node that scripts/wasm builds, and the native program that gives the same answers.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export const TARGET = process.env.CARGO_TARGET_DIR ?? join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../../target');
const MODULE = process.env.BANYAN_WASM ?? join(TARGET, 'wasm-pkg/nodejs/banyan_wasm.js');
export const NATIVE = process.env.BANYAN_ANSWERS ?? join(TARGET, 'debug/examples/answers');

export const { Engine } = createRequire(import.meta.url)(MODULE);

/** The requests that begin a job. */
const LONG = ['analysis', 'move', 'solve', 'review'];

/** The answer of the module, the last event of a job, or the refusal, as text. */
export function answer(engine, name, body) {
  const text = JSON.stringify(body);
  try {
    if (!LONG.includes(name)) return engine.answer(name, text);
    const job = engine.begin(name, text);
    let last = '';
    while (job.step(Infinity, (_event, json) => { last = json; }));
    job.free();
    return last;
  } catch (refusal) {
    if (typeof refusal !== 'string') throw refusal;
    const { code, field } = JSON.parse(refusal);
    if (code !== 'no-weights') return refusal;
    engine.load(field, readFileSync(join(dirname(MODULE), field)));
    return answer(engine, name, body);
  }
}

/** The native program: `ask(name, body)` gives its answer as text. */
export class Native {
  constructor(program = NATIVE) {
    this.process = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async ask(name, body) {
    this.process.stdin.write(`${name} ${JSON.stringify(body)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`no answer from ${this.process.spawnfile} to ${name} ${JSON.stringify(body)}`);
    return value;
  }

  close() {
    this.process.stdin.end();
  }
}
