/**
 * A server of our own for comparison, as a process of its own: started by `fork` with its terms as
 * JSON in its first argument, its first message is its URL, and it ends with this process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { processorSeconds } from './server-process.ts';

export interface ForkedServer {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Of all its threads so far; NaN where /proc is missing. */
  processorSeconds(): number;
  /** Ends it at once, also when it has ended. */
  kill(): Promise<void>;
}

export async function forkServer(file: URL, terms: unknown): Promise<ForkedServer> {
  const child = fork(file, [JSON.stringify(terms)], { execArgv: ['--no-warnings'] });
  const killAtExit = (): boolean => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const exited = once(child, 'exit');
  const [url] = await Promise.race([once(child, 'message'), exited.then(() => [''])]);
  if (url === '') throw new Error(`${file.pathname} ended before it was ready`);
  const pid = child.pid ?? 0;
  return {
    url: String(url),
    pid,
    child,
    processorSeconds: () => processorSeconds(pid),
    kill: async () => {
      process.off('exit', killAtExit);
      child.kill('SIGKILL');
      await exited;
    },
  };
}
