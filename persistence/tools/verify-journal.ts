/**
 * Replays the journal from its first command into an empty engine and compares the stored fills and
 * the indexes of order ids and of idempotency keys. Invariant: it continues after a fill or an id
 * that differs, because they only follow from the commands; it stops at a command that is damaged
 * or can't be applied, because nothing after it can be judged. Bound: one step of the journal in
 * memory.
 */
import type { Database } from 'better-sqlite3';
import { Engine, type PlaceOrder } from '../../engine/index.ts';
import { type ArchiveRange, archiveName } from '../journal/archive.ts';
import { moneyKeyFinder, moneyKeyRow } from '../journal/money-keys.ts';
import {
  bytesOfId,
  type ListedId,
  OrderIdTables,
  type StoredOrderId,
} from '../journal/order-id-tables.ts';
import type { StoredCommand } from '../journal/part.ts';
import { JournalReader } from '../journal/reader.ts';
import { journalEnd, journalFunding, notedSecret } from '../journal/schema.ts';
import type { ProjectedCommand } from '../projection/projection.ts';
import { applyStored, fillDifference } from '../recovery/recovery.ts';
import { openReadonly, STORE_PACE, StoreError } from '../shared/index.ts';
import { ArchiveSums } from './archive-maker.ts';
import { type Findings, faultSentence } from './findings.ts';

/** The last seq of each table. In one statement, so that they are consistent. */
const SELECT_BEYOND =
  'SELECT (SELECT max(seq) FROM commands) AS lastSeq, (SELECT max(seq) FROM fills) AS fillSeq, ' +
  '(SELECT max(seq) FROM order_ids) AS orderSeq';
/** Rows, triggers and views that no exchange writes. (Seqs begin at 1.) */
const SELECT_FOREIGN =
  "SELECT 'a command of seq ' || seq FROM commands WHERE seq < 1 " +
  "UNION ALL SELECT 'a fill of seq ' || seq FROM fills WHERE seq < 1 " +
  "UNION ALL SELECT 'the ' || type || ' ' || name FROM sqlite_schema " +
  "WHERE type IN ('trigger', 'view') LIMIT 1";

interface Beyond {
  readonly lastSeq: number;
  readonly fillSeq: number;
  readonly orderSeq: number;
}

const INDEX = 'the index of order ids';
const NEW_IDS = 'the new order ids';

export class JournalCheck {
  readonly engine = new Engine();
  readonly #findings: Findings;
  readonly #journal: JournalReader;
  readonly #database: Database;
  readonly #orderIds: OrderIdTables;
  readonly #findMoneyKey: ReturnType<typeof moneyKeyFinder>;
  /** The `seq` of the last replayed command. */
  seq = 0;
  timeMs = 0;
  checksum = 0;
  fillCount = 0;
  orderCount = 0;
  moneyKeyCount = 0;
  /** The archives when the check begins. A compaction may add others meanwhile. */
  readonly #archives: readonly ArchiveRange[];
  #archiveIndex = 0;
  #sums = new ArchiveSums();
  #isCareful = false;
  /** Whether `new_order_ids` can be read. */
  #areNewIdsGood = true;
  readonly funding: string | undefined;
  /** Whether it met a command that it can't replay. */
  isStopped = false;

  constructor(path: string, findings: Findings) {
    this.#findings = findings;
    this.#journal = new JournalReader(path);
    this.#archives = this.#journal.archives();
    this.#database = openReadonly(path);
    this.#database.pragma(`cache_size = -${STORE_PACE.verifyCacheKib}`);
    this.#orderIds = new OrderIdTables(this.#database);
    this.#findMoneyKey = moneyKeyFinder(this.#database);
    this.funding = journalFunding(this.#database);
    this.engine.countSteps();
  }

  close(): void {
    this.#journal.close();
    this.#database.close();
  }

  /** The last command now. */
  lastSeq(): number {
    return journalEnd(this.#database).lastSeq;
  }

  /** The archives now: a compaction may have added one. */
  archiveNames(): readonly string[] {
    return this.#journal.archives().map(archiveName);
  }

  /** The fingerprint of the master secret; undefined if none is recorded. */
  notedSecret(): string | undefined {
    return notedSecret(this.#database);
  }

  /** Checks the rules under which each command ran. */
  checkRules(): void {
    const borders = this.#journal.rulesBorders();
    const lastSeq = this.lastSeq();
    let before = { fromSeq: 0, version: 0 };
    for (const border of borders) {
      const { fromSeq, version } = border;
      const isFirst = before.fromSeq === 0;
      const isWrong = isFirst ? fromSeq !== 1 : fromSeq > lastSeq + 1;
      if (isWrong || version <= before.version) {
        const what = `rules ${version} from seq ${fromSeq} on, after rules ${before.version}`;
        const truth = 'the first must begin at seq 1, and each later one at a later command';
        this.#findings.add('journal', 'rules', `the journal records ${what}: ${truth}`);
        return;
      }
      before = border;
    }
  }

  /** Replays one step towards `lastSeq`; calls `onApplied` after each command, before the next. */
  step(lastSeq: number, onApplied: (applied: ProjectedCommand) => void): void {
    try {
      const fromSeq = this.seq;
      const toSeq = this.#isCareful ? fromSeq + 1 : this.#journal.stepEnd(fromSeq, lastSeq);
      this.engine.rules = this.#journal.rulesAt(fromSeq + 1);
      this.#readNewIds();
      const stored = this.#read(fromSeq, toSeq);
      if (stored === undefined) return;
      const replayed = stored.map((command) => {
        const applied = this.#apply(command);
        this.#checkOrderId(applied);
        this.#checkMoneyKeys(applied);
        this.#sum(applied);
        onApplied(applied);
        return applied;
      });
      this.#checkFills(fromSeq, toSeq, replayed);
    } catch (error) {
      this.isStopped = true;
      const what = faultSentence('the journal', error);
      // StoreErrors name the command.
      const sentence = error instanceof StoreError ? what : `command ${this.seq + 1}: ${what}`;
      this.#findings.add('journal', 'journal.db', sentence);
    }
  }

  /** Reads the ids that the commands replayed next may have. */
  #readNewIds(): void {
    if (!this.#areNewIdsGood) return;
    const isRead = this.#findings.attempt('order_ids', 'new_order_ids', () => {
      this.#orderIds.refresh();
      return true;
    });
    this.#areNewIdsGood = isRead === true;
  }

  /** undefined if a command can't be read: the next steps are then single commands, up to it. */
  #read(fromSeq: number, toSeq: number): StoredCommand[] | undefined {
    try {
      return this.#journal.commands(fromSeq, toSeq);
    } catch (error) {
      if (this.#isCareful) throw error;
      this.#isCareful = true;
      return undefined;
    }
  }

  /** Finds stored rows without a command. Called after the replay. */
  checkLeftovers(): void {
    // In one transaction, so that an id that enters the index meanwhile is counted once.
    this.#database.transaction(() => this.#findLeftovers())();
  }

  #findLeftovers(): void {
    this.#readNewIds();
    const foreign = this.#database.prepare<[], string>(SELECT_FOREIGN).pluck().get();
    if (foreign !== undefined) {
      const what = `the journal has ${foreign}, which no exchange writes`;
      this.#findings.add('journal', 'foreign', what);
    }
    this.#findStrayKeys();
    const unindexed = [...this.#orderIds.unindexed()];
    const { lastSeq, fillSeq, orderSeq } = this.#beyond(unindexed);
    if (fillSeq > lastSeq) {
      const what = `the journal ends at seq ${lastSeq} but has a fill of seq ${fillSeq}`;
      this.#findings.add('fills', 'fills', what);
    }
    if (orderSeq > lastSeq) {
      const what = `the journal ends at seq ${lastSeq} but has an order id of seq ${orderSeq}`;
      this.#findings.add('order_ids', 'order_ids', what);
    }
    if (!this.#areNewIdsGood) return;
    const replayed = unindexed.filter(({ seq }) => seq <= this.seq);
    if (this.#countIndexed() + replayed.length === this.orderCount) return;
    this.#findings.add('order_ids', 'order_ids', this.#firstStrayId(replayed));
  }

  /** Counts the ids of replayed orders in the index. */
  #countIndexed(): number {
    const indexed = this.#database
      .prepare<[number], number>('SELECT count(*) FROM order_ids WHERE seq <= ?')
      .pluck()
      .get(this.seq);
    return indexed ?? 0;
  }

  #apply(stored: StoredCommand): ProjectedCommand {
    const { seq, timeMs, checksum, evidence } = stored;
    const durable = applyStored(this.engine, stored);
    this.seq = seq;
    this.timeMs = timeMs;
    this.checksum = checksum;
    const { command, events } = durable;
    return { seq, timeMs, command, events, checksum, evidence };
  }

  #checkFills(fromSeq: number, toSeq: number, replayed: readonly ProjectedCommand[]): void {
    const stored = this.#journal.fills(fromSeq, toSeq);
    this.fillCount += stored.length;
    const difference = fillDifference(stored, replayed);
    if (difference === undefined) return;
    const sentence = `command ${difference.seq}: ${difference.what}`;
    this.#findings.add('fills', 'fills', sentence);
  }

  /** Compares the idempotency keys that a command made leave memory with their rows. */
  #checkMoneyKeys({ seq, events }: ProjectedCommand): void {
    for (const event of events) {
      if (event.kind !== 'money_key_indexed') continue;
      const { record } = event;
      this.moneyKeyCount += 1;
      const stored = this.#findMoneyKey(record);
      if (stored?.join() === moneyKeyRow(seq, record).join()) continue;
      const what = stored === undefined ? 'is missing from' : 'differs in';
      const sentence = `command ${seq}: the idempotency key ${record.key} ${what} money_keys`;
      this.#findings.add('money_keys', 'money_keys', sentence);
    }
  }

  #findStrayKeys(): void {
    const stored = this.#database
      .prepare<[number], number>('SELECT count(*) FROM money_keys WHERE seq <= ?')
      .pluck()
      .get(this.seq);
    const lastSeq = this.lastSeq();
    const beyond = this.#database
      .prepare<[number], number>('SELECT count(*) FROM money_keys WHERE seq > ?')
      .pluck()
      .get(lastSeq);
    if (stored === this.moneyKeyCount && beyond === 0) return;
    const sentence =
      `money_keys has ${stored} keys up to seq ${this.seq} and ${beyond} beyond the journal's ` +
      `end, seq ${lastSeq}; the commands say ${this.moneyKeyCount} and 0`;
    this.#findings.add('money_keys', 'money_keys', sentence);
  }

  #checkOrderId({ seq, command, events }: ProjectedCommand): void {
    if (command.kind !== 'place_order') return;
    if (!events.some(({ kind }) => kind === 'order_accepted')) return;
    this.orderCount += 1;
    const what = this.#idDifference(seq, command);
    if (what === undefined) return;
    const sentence = `order id ${command.orderId}, accepted by command ${seq}, ${what}`;
    this.#findings.add('order_ids', 'order_ids', sentence);
  }

  /** How the stored id differs, in the index, in `new_order_ids` or in both; undefined if not. */
  #idDifference(seq: number, command: PlaceOrder): string | undefined {
    const id = bytesOfId(command.orderId);
    const indexed = this.#orderIds.findIndexed(id);
    const isNew = this.#orderIds.findNew(id);
    if (indexed === undefined && isNew === undefined) return `is missing from ${INDEX}`;
    return (
      (indexed && difference(seq, command, indexed, INDEX)) ??
      (isNew && difference(seq, command, isNew, NEW_IDS))
    );
  }

  /** Sums up each archive, and compares it with the sums that the journal lists. */
  #sum({ seq, checksum, events }: ProjectedCommand): void {
    const range = this.#archives[this.#archiveIndex];
    if (range === undefined || seq < range.firstSeq) return;
    const sums = this.#sums;
    sums.add(checksum);
    sums.fillCount += events.filter(({ kind }) => kind === 'fill').length;
    if (seq < range.lastSeq) return;
    if (!sums.areThoseOf(range)) {
      const name = archiveName(range);
      const [have, noted] = [sums, range].map(
        ({ commandsChecksum: all, lastChecksum: last, fillCount }) =>
          `checksum ${all}, last command ${last}, and ${fillCount} fills`,
      );
      const what = `the commands of ${name} have ${have}, but the journal lists ${noted}`;
      this.#findings.add('journal', name, what);
    }
    this.#sums = new ArchiveSums();
    this.#archiveIndex += 1;
  }

  /** The last seq of each table, including order ids that are not in the index yet. */
  #beyond(unindexed: readonly ListedId[]): Beyond {
    const row = this.#database
      .prepare<[], Readonly<Record<keyof Beyond, number | null>>>(SELECT_BEYOND)
      .get();
    return {
      lastSeq: Math.max(row?.lastSeq ?? 0, this.seq),
      fillSeq: row?.fillSeq ?? 0,
      orderSeq: unindexed.reduce((most, { seq }) => Math.max(most, seq), row?.orderSeq ?? 0),
    };
  }

  /** Called only if the numbers differ: it reads a command for each id. */
  #firstStrayId(unindexed: readonly ListedId[]): string {
    const select = this.#database.prepare<[number], ListedId>(
      'SELECT order_id AS orderId, seq FROM order_ids WHERE seq <= ? ORDER BY order_id',
    );
    for (const { orderId, seq } of [...unindexed, ...select.iterate(this.seq)]) {
      const hex = `0x${orderId.toString('hex')}`;
      const [stored] = seq < 1 ? [] : this.#journal.commands(seq - 1, seq);
      const command = stored?.command(this.engine.names);
      if (command?.kind === 'place_order' && command.orderId === hex) continue;
      const record = `order id ${hex} is recorded as accepted by command ${seq}`;
      return `${record}, which placed no such order`;
    }
    return 'the index of order ids does not have exactly the ids of the accepted orders';
  }
}

function difference(
  seq: number,
  order: PlaceOrder,
  known: StoredOrderId,
  where: string,
): string | undefined {
  const fields = [
    ['seq', known.acceptedSeq, seq],
    ['type', known.type, order.type],
    ['post_only', known.postOnly, order.postOnly ? 1 : 0],
    ['expires_ms', known.expiresAtMs, order.expiresAtMs],
  ] as const;
  const wrong = fields.find(([, stored, replayed]) => stored !== replayed);
  if (wrong === undefined) return undefined;
  const [name, stored, replayed] = wrong;
  return `has ${name} ${stored} in ${where}, and by the journal it is ${replayed}`;
}
