/**
 * liquibook, a book in C++, on the operations of the engine benchmark. It is no part of this
 * repository: liquibook.cpp is built with the headers of a checkout that the user names.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Operation } from '../workload.ts';
import { encodeRound } from './records.ts';

const SOURCE = fileURLToPath(new URL('./liquibook.cpp', import.meta.url));
const COMPILER = 'g++';
const HEADER = join('src', 'book', 'order_book.h');
/** The build takes a few seconds. */
const BUILD_LIMIT_MS = 120_000;
/** An error shows this many characters of the compiler's messages. */
const SHOWN_CHARACTERS = 2_000;

/** The program in a temporary folder. */
export interface Built {
  readonly program: string;
  remove(): void;
}

/** Builds the program with the headers of a checkout. Throws if that fails, and leaves nothing. */
export function buildLiquibook(folder: string, compiler = COMPILER): Built {
  if (!existsSync(join(folder, HEADER))) {
    throw new Error(
      `--liquibook is "${folder}"; it must be a checkout of liquibook, but has no ${HEADER}`,
    );
  }
  const temporary = mkdtempSync(join(tmpdir(), 'exchange-liquibook-'));
  const remove = (): void => rmSync(temporary, { recursive: true, force: true });
  try {
    const program = join(temporary, 'liquibook');
    const flags = ['-O3', '-std=c++17', '-I', join(resolve(folder), 'src')];
    const { error, status, signal, stderr } = spawnSync(
      compiler,
      [...flags, SOURCE, '-o', program],
      { encoding: 'utf8', timeout: BUILD_LIMIT_MS },
    );
    if (error !== undefined) {
      throw new Error(`the compiler ${compiler} can't run: ${error.message}`, { cause: error });
    }
    if (status !== 0) {
      const shown = stderr.slice(0, SHOWN_CHARACTERS);
      throw new Error(`${compiler} ended with ${status ?? signal} on liquibook:\n${shown}`);
    }
    return { program, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The program at work. Each call must wait for the end of the one before. */
export class Liquibook {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string) {
    this.#child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    // An end of the program shows as the end of its lines.
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Does the operations. Returns how many a second. */
  async run(operations: readonly Operation[]): Promise<number> {
    const { perSecond } = await this.#answer(operations);
    if (typeof perSecond !== 'number') throw new Error('liquibook gave no speed of a round');
    return perSecond;
  }

  /** Its levels as `price:lots`, best bid and best ask first. */
  async depth(): Promise<string> {
    const { depth } = await this.#answer([]);
    if (typeof depth !== 'string') throw new Error('liquibook gave no levels');
    return depth;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #answer(operations: readonly Operation[]): Promise<Readonly<Record<string, unknown>>> {
    this.#child.stdin.write(encodeRound(operations));
    const line = await this.#lines.next();
    if (line.done) throw new Error('the program of liquibook ended; its messages are above');
    return JSON.parse(line.value);
  }
}
