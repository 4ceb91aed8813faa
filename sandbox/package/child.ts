/** The process of an exchange: until it is ready, and its end. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { DevAccount } from './exchange-types.ts';

/** How many lines of the log an error shows. */
const LOG_LINES = 20;

/** What the program prints with `--json` when it is ready. */
interface ReadyLine {
  readonly url: string;
  readonly adminPort: number;
  readonly pid: number;
  readonly devAccounts: readonly DevAccount[];
}

/** Resolves with the ready line; throws an Error with the end of the log if there is none. */
export async function readyLineOf(
  child: ChildProcess,
  onLog: (line: string) => void = () => {},
): Promise<ReadyLine> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('its output is piped');
  const log: string[] = [];
  createInterface(stderr).on('line', (line) => {
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
    onLog(line);
  });
  const lines = createInterface(stdout);
  const failed = once(child, 'close').then(([code, signal]) => {
    const end = signal ?? `code ${code}`;
    throw new Error(`the exchange ended with ${end} before it was ready:\n${log.join('\n')}`);
  });
  const ready = once(lines, 'line').then(([line]) => JSON.parse(line) as ReadyLine);
  try {
    return await Promise.race([ready, failed]);
  } finally {
    // Its end after this is no failure.
    failed.catch(() => {});
  }
}

/** Ends an exchange as a signal does: what it has acknowledged is kept in its data folder. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // A second signal would end it at once.
  if (!child.killed) child.kill('SIGTERM');
  await exited;
}
