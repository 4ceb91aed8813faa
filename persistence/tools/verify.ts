/**
 * `verify`: replays the whole journal into an empty engine and compares the result with all other
 * stored data. Invariant: it changes nothing and may run beside a live exchange. Each store is
 * compared with the state at its own seq, so new writes never look like faults. Bound: one step of
 * the journal in memory, the engine, and the ids of markets.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, stateHash } from '../../engine/index.ts';
import { checkDurableMark } from '../journal/durable-mark.ts';
import type { ProjectedCommand } from '../projection/projection.ts';
import type { ToolOptions } from './compaction-limit.ts';
import { type Finding, Findings } from './findings.ts';
import { CatalogCheck } from './verify-catalog.ts';
import { checkDatabase, checkSecrets, checkStrays, databasesOf } from './verify-files.ts';
import { JournalCheck } from './verify-journal.ts';
import { ProjectionCheck } from './verify-projection.ts';
import { compareReplica } from './verify-replica.ts';
import { SnapshotCheck } from './verify-snapshots.ts';

export interface VerifyReport {
  /** Whether there are no findings. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** What is missing or behind without being a fault. */
  readonly notes: readonly string[];
  /** The last replayed command and its time; both 0 for an empty journal. */
  readonly seq: number;
  readonly timeMs: number;
  /** SHA-256 of the state after that command, in hex. */
  readonly stateHash: string;
  readonly fills: number;
  readonly orders: number;
  readonly snapshots: number;
  readonly ms: number;
}

/** How near (in commands) the replay must be to a live projection before it is compared. */
const CLOSE_COMMANDS = 20_000;
/** After this many attempts it is compared anyway: the exchange commits faster than the replay. */
const CATCH_UPS = 20;

export interface VerifyOptions extends ToolOptions {
  /** The data folder of another node of the same cluster, to compare with. */
  readonly replica?: string | undefined;
  /** Called with each command as it is replayed, and with the engine after the last one. */
  readonly onApplied?: (applied: ProjectedCommand) => void;
  readonly onReplayed?: (engine: Engine) => void;
}

export async function verifyFolder(options: VerifyOptions): Promise<VerifyReport> {
  const startedAt = performance.now();
  const findings = new Findings();
  const verification = new Verification(options, findings);
  const end = await verification.run();
  if (options.replica !== undefined) await compareReplica(options, options.replica, findings);
  const found = findings.all();
  return {
    ok: found.length === 0,
    findings: found,
    notes: findings.notes,
    ...end,
    ms: Math.round(performance.now() - startedAt),
  };
}

type End = Pick<VerifyReport, 'seq' | 'timeMs' | 'stateHash' | 'fills' | 'orders' | 'snapshots'>;

const NOTHING: End = { seq: 0, timeMs: 0, stateHash: '', fills: 0, orders: 0, snapshots: 0 };

class Verification {
  readonly #options: VerifyOptions;
  readonly #findings: Findings;
  readonly #catalog: CatalogCheck;
  readonly #snapshots: SnapshotCheck;
  /** Set while it is being compared. */
  #projection: ProjectionCheck | undefined;
  #keysExist = false;

  constructor(options: VerifyOptions, findings: Findings) {
    this.#options = options;
    this.#findings = findings;
    this.#catalog = new CatalogCheck(this.#pathOf('catalog.db'), findings);
    this.#snapshots = new SnapshotCheck(this.#pathOf('snapshots'), findings);
  }

  async run(): Promise<End> {
    const path = this.#pathOf('journal.db');
    if (!existsSync(path)) {
      const what = `${path} is missing: this is not the data folder of an exchange`;
      this.#findings.add('journal', 'journal.db', what);
      return NOTHING;
    }
    this.#checkFiles();
    const journal = this.#findings.attempt(
      'journal',
      'journal.db',
      () => new JournalCheck(path, this.#findings),
    );
    if (journal === undefined) return NOTHING;
    try {
      return await this.#replay(journal);
    } finally {
      journal.close();
    }
  }

  async #replay(journal: JournalCheck): Promise<End> {
    this.#findings.attempt('durable_mark', 'durable.seq', () =>
      checkDurableMark(this.#pathOf('durable.seq'), () => journal.lastSeq()),
    );
    this.#findings.attempt('journal', 'rules', () => journal.checkRules());
    await this.#compareProjection(journal);
    const recordedEnds = this.#catalog.readEnds();
    await this.#replayTo(journal, journal.lastSeq());
    this.#findings.attempt('state', 'engine', () => journal.engine.validate());
    if (journal.isStopped) {
      this.#findings.note(`nothing after seq ${journal.seq} was replayed or compared`);
    } else {
      this.#findings.attempt('order_ids', 'order_ids', () => journal.checkLeftovers());
      this.#snapshots.finish(journal.seq);
      this.#catalog.compare(recordedEnds);
    }
    checkStrays(this.#options.dataDir, journal.archiveNames(), this.#findings);
    this.#options.onReplayed?.(journal.engine);
    const terms = { keysExist: this.#keysExist, fingerprint: journal.notedSecret() };
    checkSecrets(this.#options.dataDir, terms, this.#findings);
    return {
      seq: journal.seq,
      timeMs: journal.timeMs,
      stateHash: stateHash(journal.engine.state()),
      fills: journal.fillCount,
      orders: journal.orderCount,
      snapshots: this.#snapshots.compared,
    };
  }

  /** Replays to the projection's cursor and compares its file in one read transaction. */
  async #compareProjection(journal: JournalCheck): Promise<void> {
    const path = this.#pathOf('analytics.db');
    const projection = ProjectionCheck.open(path, journal.engine, this.#findings);
    if (projection === undefined) return;
    this.#projection = projection;
    try {
      if (projection.isComparable()) await this.#catchUp(journal, projection);
    } catch (error) {
      this.#findings.attempt('projection', 'analytics.db', () => {
        throw error;
      });
    } finally {
      this.#projection = undefined;
      projection.close();
    }
  }

  async #catchUp(journal: JournalCheck, projection: ProjectionCheck): Promise<void> {
    for (let times = 0; times < CATCH_UPS && !journal.isStopped; times += 1) {
      const { seq } = projection.cursor();
      if (seq > journal.lastSeq() || seq - journal.seq < CLOSE_COMMANDS) break;
      await this.#replayTo(journal, seq);
    }
    projection.hold();
    const { seq } = projection.cursor();
    if (seq > journal.lastSeq()) {
      const what = `analytics.db was made from a journal that went to seq ${seq}`;
      const place = `this one ends at ${journal.lastSeq()}: acknowledged commands are missing`;
      this.#findings.add('projection', 'progress', `${what}, and ${place}`);
      return;
    }
    await this.#replayTo(journal, seq);
    if (journal.isStopped) return;
    let rows = 0;
    projection.compare(journal.checksum, (more) => {
      rows += more;
      this.#options.onProgress?.({ what: 'rows of analytics.db compared', done: rows, total: 0 });
    });
    projection.release();
  }

  async #replayTo(journal: JournalCheck, lastSeq: number): Promise<void> {
    while (journal.seq < lastSeq && !journal.isStopped) {
      const stopSeq = Math.min(lastSeq, this.#snapshots.nextSeq);
      journal.step(stopSeq, (applied) => this.#take(applied));
      this.#snapshots.compareAt(journal);
      this.#projection?.flush();
      const total = journal.lastSeq();
      this.#options.onProgress?.({ what: 'commands replayed', done: journal.seq, total });
      await nextTurn();
    }
  }

  #take(applied: ProjectedCommand): void {
    this.#options.onApplied?.(applied);
    this.#catalog.take(applied);
    this.#snapshots.take(applied);
    this.#projection?.take(applied);
    this.#keysExist ||= applied.events.some(({ kind }) => kind === 'api_key_issued');
  }

  #checkFiles(): void {
    const { dataDir, onProgress } = this.#options;
    const names = databasesOf(dataDir);
    for (const [index, name] of names.entries()) {
      onProgress?.({ what: 'files checked', done: index, total: names.length });
      checkDatabase(dataDir, name, this.#findings);
    }
  }

  #pathOf(name: string): string {
    return join(this.#options.dataDir, name);
  }
}
