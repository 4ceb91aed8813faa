/**
 * The processes of the bots. Each is the first of a process group of its own, so its children end
 * with it. Bounds: the time, what is kept of the output, and how long a bot may take to stop.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ARENA_BOUNDS, type ArenaBot } from './arena-file.ts';

export interface BotPlace {
  /** The folder in which its command runs. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly logFile: string;
}

class BotProcess {
  readonly #child: ChildProcess;
  /** Resolves when its process is gone, or could not be started. */
  readonly ended: Promise<void>;
  #ending = '';
  #isAsked = false;
  #isKilled = false;
  #logBytes = 0;

  constructor({ command, environment }: ArenaBot, { cwd, variables, logFile }: BotPlace) {
    const [program = '', ...words] = command;
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, ...environment, ...variables };
    const child = spawn(program, words, { cwd, env, detached: true, stdio: 'pipe' });
    child.stdin.end();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => this.#log(logFile, chunk));
    }
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#ending = `did not start: ${error.message}`;
        resolve();
      });
      child.once('exit', (code, signal) => {
        const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
        if (this.#isKilled) this.#ending = 'hung: it ignored SIGTERM and was killed';
        else this.#ending = this.#isAsked ? 'ran until the end' : `${how} before the end`;
        resolve();
      });
    });
  }

  #log(file: string, chunk: Buffer): void {
    const room = ARENA_BOUNDS.logBytes - this.#logBytes;
    this.#logBytes += chunk.length;
    if (room > 0) appendFileSync(file, chunk.subarray(0, room));
  }

  /** Ends the whole group. Resolves with how the bot ended, in words for the table. */
  async stop(stopMs: number): Promise<string> {
    this.#isAsked = true;
    this.#signal('SIGTERM');
    const isLate = new AbortController();
    const { signal } = isLate;
    const killed = sleep(stopMs, true, { signal }).catch(() => false);
    if (await Promise.race([killed, this.ended])) this.#isKilled = true;
    isLate.abort();
    this.#signal('SIGKILL');
    await this.ended;
    const isCut = this.#logBytes > ARENA_BOUNDS.logBytes;
    return isCut
      ? `${this.#ending}; its log is cut at ${ARENA_BOUNDS.logBytes} bytes`
      : this.#ending;
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // ESRCH: no process of the group is left.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

export interface Round {
  readonly bots: readonly (readonly [ArenaBot, BotPlace])[];
  readonly seconds: number;
  /** How long a bot may take to stop after SIGTERM. */
  readonly stopMs: number;
  /** Ends the round early. */
  readonly stop: AbortSignal;
}

/** Lets the bots run until the time is up or all have ended. Resolves with how each ended. */
export async function runBots({ bots, seconds, stopMs, stop }: Round): Promise<readonly string[]> {
  const running = bots.map(([bot, place]) => new BotProcess(bot, place));
  const isOver = new AbortController();
  const signal = AbortSignal.any([stop, isOver.signal]);
  // It rejects when it is aborted, which ends the round as well.
  const timeIsUp = sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  await Promise.race([timeIsUp, Promise.all(running.map(({ ended }) => ended))]);
  isOver.abort();
  return Promise.all(running.map((bot) => bot.stop(stopMs)));
}
