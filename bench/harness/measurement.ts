/**
 * Runs a measurement in a process of its own, so that neither the heap nor the compiled code of one
 * measurement colours the next. The child gets its input as JSON in its first argument and sends
 * one message back. It ends with this process, if not before.
 */
import { fork } from 'node:child_process';

export async function runChild<Input, Output>(file: URL, input: Input): Promise<Output> {
  const child = fork(file, [JSON.stringify(input)], {
    execArgv: ['--expose-gc', '--no-warnings', ...process.execArgv],
  });
  const killAtExit = (): boolean => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  try {
    return await new Promise<Output>((resolve, reject) => {
      // The child is our own file: it sends what its caller asked for.
      child.once('message', (output) => resolve(output as Output));
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${file.pathname} ended with ${code}`)));
    });
  } finally {
    process.off('exit', killAtExit);
  }
}

/** The input of this process, which `runChild` started. */
export function childInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? '') as Input;
} // ours

/** Answers `runChild` and lets the process end. */
export function answerParent<Output>(output: Output): void {
  process.send?.(output, () => process.disconnect());
}

/** Collects all garbage, so that what a measurement pays for is its own. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('start this file with --expose-gc');
  globalThis.gc();
}

/** What threads of the collector need at the most for the heaps of the benchmarks. */
const SWEEP_MS = 300;

/**
 * The same, and waits while its threads give back what they found: until then they take the memory
 * and the processors from a measurement that begins at once.
 */
export function collectAndSweep(): void {
  collectGarbage();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWEEP_MS);
}
