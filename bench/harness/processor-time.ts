/** Processor time of another process, and garbage collection on request. */
import { readFileSync } from 'node:fs';

/** The kernel counts processor time in these ticks on all Linux systems that Node supports. */
const TICKS_PER_SECOND = 100;
/** Long enough for the collector's threads to finish with the heaps of the benchmarks. */
const SWEEP_MS = 300;

/** Processor time of all threads of a process so far, in seconds; NaN where /proc is missing. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** Processor time of this process so far, in microseconds. */
export function ownMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Collects all garbage, so that a measurement pays only for its own garbage. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('start this file with --expose-gc');
  globalThis.gc();
}

/** Collects all garbage and waits for the collector's threads, which work on after `gc` returns. */
export function collectAndSweep(): void {
  collectGarbage();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWEEP_MS);
}
