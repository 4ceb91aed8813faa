/**
 * The real program for load tests: `main.ts serve --json` in a process of its own, on free ports
 * and a data folder in a temporary directory that is removed afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** Of the kernel's clock for process times, on all Linux systems that Node supports. */
const TICKS_PER_SECOND = 100;

export interface LoadAccount {
  readonly address: string;
  readonly privateKey: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** The line that `--json` prints when requests are taken (design 8), as far as it is used here. */
interface ReadyLine {
  readonly url: string;
  readonly adminPort: number;
  readonly pid: number;
  readonly devAccounts: readonly LoadAccount[];
}

export interface ServerProcess extends ReadyLine {
  readonly dataDir: string;
  /** Processor time of all its threads so far, in seconds; NaN where /proc is missing. */
  processorSeconds(): number;
  /**
   * Asks it to finish and waits, also when it has ended, for its exit code; null for one that a
   * signal ended. Its folder stays until `remove`.
   */
  stop(): Promise<number | null>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  remove(): void;
}

async function readyLineOf(child: ChildProcess): Promise<ReadyLine> {
  if (child.stdout === null) throw new Error('standard output is a pipe');
  for await (const line of createInterface(child.stdout)) {
    // The first line is the ready line; its form is part of the program's contract.
    return JSON.parse(line) as ReadyLine;
  }
  throw new Error('the exchange ended before it was ready');
}

/** An empty data folder for a server. */
export function makeDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'exchange-bench-'));
}

/**
 * Starts the program with further flags, in a folder of its own or a given one. The caller stops it
 * and removes its folder.
 */
export async function startServer(
  flags: readonly string[],
  dataDir: string = makeDataDir(),
): Promise<ServerProcess> {
  const serve = ['serve', '--json', '--data', dataDir, '--port', '0', '--admin-port', '0'];
  const child = spawn(process.execPath, [MAIN, ...serve, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAtExit = (): boolean => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const exited = once(child, 'exit').then(() => process.off('exit', killAtExit));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const { url, adminPort, pid, devAccounts } = await readyLineOf(child);
    return {
      url,
      adminPort,
      pid,
      devAccounts,
      dataDir,
      processorSeconds: () => processorSeconds(child.pid ?? 0),
      stop: async () => {
        child.kill('SIGTERM');
        await exited;
        return child.exitCode;
      },
      kill: async () => {
        child.kill('SIGKILL');
        await exited;
      },
      remove,
    };
  } catch (error) {
    child.kill('SIGKILL');
    remove();
    throw error;
  }
}

/** Processor time of all threads of a process so far, in seconds; NaN where /proc is missing. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
