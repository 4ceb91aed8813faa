/**
 * A folder with the backups of a running exchange. Each is made by this program's command `backup`,
 * in a process of its own: no thread of the exchange waits for it, a stop can end it at once, and
 * whatever kills it does not harm the exchange.
 *
 * Invariant: the folder belongs to one exchange; what is half-made there is removed before the next
 * one is made, and at each start. Bound: STORE_BOUNDS.keptBackups; none is removed unless it is
 * asked for, so that a mistake or a thief of a token can't make old backups disappear by making new
 * ones.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bytesIn, messageOf, namesIn, SavedStateRefusal, STORE_BOUNDS } from '../shared/index.ts';
import {
  type BackupNote,
  type BackupReport,
  readBackupNote,
  readFirstManifest,
} from '../tools/index.ts';
import { backupName } from './rotated-backups.ts';

export interface KeptBackup {
  /** Its file in the folder. */
  readonly name: string;
  /** The last command that it has. */
  readonly seq: number;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly bytes: number;
}

export interface RunningBackup {
  readonly name: string;
  readonly startedMs: number;
  /** What is on the disk of it so far: its parts, and then the file made of them. */
  readonly bytes: number;
}

export interface BackupResult {
  readonly name: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** What went wrong and what to do; '' for a backup that was made. */
  readonly error: string;
  readonly report: BackupReport | undefined;
}

export interface KeptBackupsOptions {
  readonly dataDir: string;
  /** Where the backups are kept, if that is not a folder of the data folder. */
  readonly folder?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onEnd: (result: BackupResult) => void;
}

const PROGRAM = fileURLToPath(new URL('../../main.ts', import.meta.url));
const NAME = /^backup-\d{8}T\d{6}\.\d{3}Z\.tar$/;
/** What a backup that was not finished leaves behind: its parts, or a part of its file. */
const LEFTOVER = /^backup-[0-9TZ.]+\.tar\.(parts-\w+|new)$/;
/** As low as that of the follower's thread. */
const NICENESS = 10;
const PREFIX = /^outcome-exchange: /gm;

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Task {
  readonly name: string;
  readonly startedMs: number;
  readonly child: Child;
  readonly ended: Promise<void>;
}

export class KeptBackups {
  readonly #options: KeptBackupsOptions;
  /** An absolute path. */
  readonly folder: string;
  #task: Task | undefined;
  #last: BackupResult | undefined;

  /** Throws if the folder is there and can't be read. */
  constructor(options: KeptBackupsOptions) {
    this.#options = options;
    this.folder = resolve(options.folder ?? join(options.dataDir, 'backups'));
    this.#removeLeftovers();
  }

  /** The newest first. A file that can't be read is not listed. */
  list(): KeptBackup[] {
    const names = this.#ownNames().toSorted().reverse();
    return names.flatMap((name) => this.#describe(name) ?? []);
  }

  /** What is being made now. */
  get running(): RunningBackup | undefined {
    if (this.#task === undefined) return undefined;
    const { name, startedMs } = this.#task;
    return { name, startedMs, bytes: this.#bytesSoFar(name) };
  }

  /** The last backup of the data folder, also if the command `backup` made it elsewhere. */
  get note(): BackupNote | undefined {
    return readBackupNote(this.#options.dataDir);
  }

  /** How the last one ended since the exchange started. */
  get last(): BackupResult | undefined {
    return this.#last;
  }

  /** Begins to make one. Throws SavedStateRefusal `backup_busy` or `backup_limit`. */
  start(): RunningBackup {
    if (this.#task !== undefined) throw new SavedStateRefusal('backup_busy', {});
    const [limit, actual] = [STORE_BOUNDS.keptBackups, this.#ownNames().length + 1];
    if (actual > limit) throw new SavedStateRefusal('backup_limit', { limit, actual });
    this.#removeLeftovers();
    const { dataDir, now, folder } = this.#options;
    // A folder that the settings name must exist: it may be of a disk that is not mounted now.
    if (folder === undefined) mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const startedMs = now();
    const name = backupName('backup', startedMs);
    const command = [PROGRAM, 'backup', join(this.folder, name), '--data', dataDir, '--json'];
    // Without the environment: neither settings nor flags of Node that are meant for the exchange.
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
    this.#task = { name, startedMs, child, ended: this.#watch(child, { name, startedMs }) };
    return { name, startedMs, bytes: 0 };
  }

  /** Throws SavedStateRefusal `backup_unknown`. */
  remove(name: string): KeptBackup {
    const found = this.list().find((one) => one.name === name);
    if (found === undefined) throw new SavedStateRefusal('backup_unknown', { field: 'name' });
    rmSync(join(this.folder, name));
    return found;
  }

  /** Ends what is being made. Call it when no more can be begun. */
  async close(): Promise<void> {
    if (this.#task === undefined) return;
    this.#task.child.kill('SIGKILL');
    await this.#task.ended;
    this.#removeLeftovers();
  }

  async #watch(child: Child, task: Pick<Task, 'name' | 'startedMs'>): Promise<void> {
    yieldToOthers(child);
    const outcome = await outcomeOf(child);
    this.#task = undefined;
    const result = { ...task, endedMs: this.#options.now(), ...outcome };
    this.#last = result;
    this.#options.onEnd(result);
  }

  #describe(name: string): KeptBackup | undefined {
    const path = join(this.folder, name);
    const manifest = readFirstManifest(path);
    if (manifest === undefined) return undefined;
    const { lastSeq: seq, madeAt } = manifest;
    return { name, seq, madeAt, bytes: statSync(path).size };
  }

  #bytesSoFar(name: string): number {
    const parts = this.#names().filter((one) => one.startsWith(name));
    return parts.reduce((sum, one) => sum + bytesIn(join(this.folder, one)), 0);
  }

  #removeLeftovers(): void {
    for (const name of this.#names()) {
      if (LEFTOVER.test(name)) rmSync(join(this.folder, name), { recursive: true, force: true });
    }
  }

  /** Of those that were finished. */
  #ownNames(): string[] {
    return this.#names().filter((name) => NAME.test(name));
  }

  #names(): string[] {
    try {
      return namesIn(this.folder);
    } catch (error) {
      throw new Error(
        `the folder of backups ${this.folder} can't be read (${messageOf(error)}): make it a ` +
          'folder that this user may read, or name another one with --backup-dir',
      );
    }
  }
}

function yieldToOthers({ pid }: Child): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or the system has no priorities: it works without.
  }
}

/** How the process of a backup ended. */
async function outcomeOf(child: Child): Promise<Pick<BackupResult, 'error' | 'report'>> {
  try {
    const [printed, complaint, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    // Safe: with --json the command prints its report.
    if (code === 0) return { error: '', report: JSON.parse(printed) as BackupReport };
    const why = complaint.replaceAll(PREFIX, '').trim();
    return { error: why === '' ? `it was ended by ${signal ?? code}` : why, report: undefined };
  } catch (error) {
    return { error: `the backup could not be started: ${messageOf(error)}`, report: undefined };
  }
}
