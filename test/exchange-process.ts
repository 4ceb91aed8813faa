// An exchange as its own process, started the way a person starts it: `main.ts serve --json`
// on free ports. What it writes to standard error is kept and shown if it does not start.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const READY_WITHIN_MS = 60_000;
const KEPT_LOG_CHARACTERS = 20_000;

export interface ExchangeProcess {
  /** Base address of the public API. */
  readonly url: string;
  /** Base address of the operator's listener. */
  readonly adminUrl: string;
  readonly pid: number;
  /** Ends it without any warning, as `kill -9` or a power cut does. */
  killHard(): Promise<void>;
  /** Asks it to stop, as a service manager does; returns its exit code. */
  stop(): Promise<number | null>;
}

/** Fields of the line that `--json` prints when the exchange is ready for requests. */
interface ReadyLine {
  readonly ready: true;
  readonly url: string;
  readonly adminPort: number;
}

function isReadyLine(value: unknown): value is ReadyLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'ready' in value &&
    value.ready === true &&
    'url' in value &&
    typeof value.url === 'string' &&
    'adminPort' in value &&
    typeof value.adminPort === 'number'
  );
}

/** Resolves with the ready line; rejects if the process ends or prints none in time. */
function readyLineOf(child: ChildProcess, log: () => string): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`${what}\n${log()}`));
    const timer = setTimeout(() => fail('the exchange was not ready in time'), READY_WITHIN_MS);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`the exchange ended before it was ready: ${signal ?? code}`);
    });
    if (child.stdout === null) throw new Error('standard output is a pipe');
    createInterface(child.stdout).on('line', (line) => {
      const value: unknown = JSON.parse(line);
      if (!isReadyLine(value)) return;
      clearTimeout(timer);
      resolve(value);
    });
  });
}

/** Starts an exchange on a data folder, with further flags. The caller ends it. */
export async function startExchangeProcess(
  dataDir: string,
  flags: readonly string[] = [],
  openFiles = 'unchanged',
): Promise<ExchangeProcess> {
  // Tests look at books and journals that only their own requests change.
  const quiet = ['--crowd', 'off'];
  const ports = ['--port', '0', '--admin-port', '0'];
  const serve = ['serve', '--json', '--data', dataDir, ...ports, ...quiet];
  const limit = openFiles === 'unchanged' ? '' : `ulimit -n ${openFiles} && `;
  const words = ['-c', `${limit}exec "$@"`, 'sh', process.execPath, MAIN, ...serve, ...flags];
  const child = spawn('sh', words, { stdio: ['ignore', 'pipe', 'pipe'] });
  // Nothing outlives a test or example that fails half-way.
  const killAtExit = (): boolean => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-KEPT_LOG_CHARACTERS);
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  };
  try {
    const { url, adminPort } = await readyLineOf(child, () => log);
    return {
      url,
      adminUrl: `http://127.0.0.1:${adminPort}`,
      pid: child.pid ?? 0,
      killHard: async () => {
        await end('SIGKILL');
      },
      stop: () => end('SIGTERM'),
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}
