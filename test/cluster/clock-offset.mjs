/**
 * Loaded before a node starts, in each of its threads: its clock is off by the milliseconds that
 * the file named by CLOCK_OFFSET_FILE has. The file is read again ten times a second.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 100;
const file = process.env.CLOCK_OFFSET_FILE ?? '';
const RealDate = globalThis.Date;
const realNow = RealDate.now;
let offsetMs = 0;
let lookedMs = 0;

function now() {
  const ms = realNow.call(RealDate);
  if (ms - lookedMs > LOOK_MS) {
    lookedMs = ms;
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  }
  return ms + offsetMs;
}

globalThis.Date = class extends RealDate {
  constructor(...words) {
    super(...(words.length === 0 ? [now()] : words));
  }
  static now() {
    return now();
  }
};
