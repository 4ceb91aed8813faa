/**
 * Runs one bench in a process of its own (bench-child.ts), so that neither its heap nor its end
 * touches the others: a bench that throws, crashes or takes too long has failed, and the run goes
 * on.
 *
 * Bound: LIMIT_MS for one bench; then its process is told to end, and with it all that it has
 * started, and is killed when it does not.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { BEGAN_VARIABLE, beganMs } from './print.ts';
import type { FiguresMessage } from './results.ts';
import type { SummaryRow } from './summary.ts';

/** Of one that is run by its name; those of a whole run take a minute or two. */
const LIMIT_MS = 3 * 3_600_000;
const KILL_AFTER_MS = 10_000;
const CHILD = new URL('./bench-child.ts', import.meta.url);

export type BenchMessage =
  | FiguresMessage
  | { readonly kind: 'rows'; readonly rows: readonly SummaryRow[] }
  | { readonly kind: 'failure'; readonly reason: string };

export interface BenchOutcome {
  readonly figures: FiguresMessage['figures'];
  readonly rows: readonly SummaryRow[];
  /** Why it has failed; rows may be there all the same. */
  readonly failure?: string;
}

export async function runBench(
  name: string,
  options: readonly string[],
  limitMs = LIMIT_MS,
): Promise<BenchOutcome> {
  const child = fork(CHILD, [name, ...options], {
    env: { ...process.env, [BEGAN_VARIABLE]: String(beganMs) },
  });
  let figures: FiguresMessage['figures'] = {};
  let rows: readonly SummaryRow[] = [];
  let failure: string | undefined;
  child.on('message', (received) => {
    const message = received as BenchMessage; // bench-child.ts sends nothing else
    if (message.kind === 'figures') figures = message.figures;
    else if (message.kind === 'rows') rows = message.rows;
    else failure = message.reason;
  });
  let killer: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    failure = `not done within ${limitMs / 1_000} seconds`;
    child.disconnect();
    killer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  }, limitMs);
  // Messages may still come after its exit, until the channel is closed.
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  clearTimeout(timer);
  clearTimeout(killer);
  if (child.exitCode !== 0)
    failure ??= `it ended with ${child.exitCode ?? child.signalCode}; see its own words above`;
  return failure === undefined ? { figures, rows } : { figures, rows, failure };
}
