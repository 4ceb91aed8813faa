/**
 * Follows the journal over all crashes of the exchange with an engine of its own, and remembers
 * every state that a client could have been shown.
 *
 * Invariant: each command is read once; before it reads on, it checks that the last command which
 * it has read is still there, unchanged. Bound: the states since `forget`.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { type Command, Engine, type EngineEvent, isChange, stateHash } from '../../engine/index.ts';
import { type Payload, PayloadReader } from '../../persistence/rows/payload.ts';
import { levelsText, type PlainLevel } from './levels.ts';

const BUSY_MS = 10_000;

interface CommandRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: string;
  readonly payload: Payload;
  readonly checksum: number;
  readonly ends: number;
  readonly digest: number | null;
}

/** An order as the journal's replay leaves it. */
export interface WitnessedOrder {
  filledLots: number;
  isOver: boolean;
}

export interface Watched {
  readonly addresses: readonly string[];
  readonly tokenIds: readonly string[];
  readonly conditionIds: readonly string[];
}

/** A file that compaction moved commands to, as the journal names it. */
interface ArchiveRow {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export class Witness {
  readonly #dataDir: string;
  readonly #engine = new Engine();
  readonly #payloads = new PayloadReader();
  readonly #watched: Watched;
  readonly #levels = new Map<string, Map<string, PlainLevel>>();
  #checksum: number | undefined;
  seq = 0;
  timeMs = 0;
  /** All orders that were ever accepted, by id. */
  readonly orders = new Map<string, WitnessedOrder>();
  /** How often each movement was made, by its idempotency key. */
  readonly moves = new Map<string, number>();
  readonly issuedKeys = new Set<string>();
  readonly revokedKeys = new Set<string>();
  /** The owners of all dead man's switches that were ever armed, by their ids. */
  readonly switches = new Map<string, string>();
  /** The id of the switch that each owner has armed now. */
  readonly armed = new Map<string, string>();
  /** Books and balances since `forget`, including those at that time. */
  readonly books = new Set<string>();
  readonly balances = new Set<string>();

  constructor(dataDir: string, watched: Watched) {
    this.#dataDir = dataDir;
    this.#watched = watched;
  }

  get stateHash(): string {
    return stateHash(this.#engine.state());
  }

  levelsOf(conditionId: string): string {
    return levelsText(this.#levels.get(conditionId)?.values() ?? []);
  }

  balanceText(address: string, tokenId: string): string {
    const { available, held } = this.#engine.balance(address, tokenId) ?? { available: 0, held: 0 };
    return `${address} ${tokenId} ${available} ${held}`;
  }

  /** Forgets earlier states: from now on, clients may be shown only the present one or later. */
  forget(): void {
    this.books.clear();
    this.balances.clear();
    for (const conditionId of this.#watched.conditionIds) this.#noteBook(conditionId);
    this.#noteBalances();
  }

  /**
   * Reads the commands that the journal and its archives have added. It may run beside their
   * writer, but not beside a compaction.
   */
  catchUp(): void {
    const journalPath = join(this.#dataDir, 'journal.db');
    if (!existsSync(journalPath)) return;
    const journal = open(journalPath);
    const parts = [journal];
    try {
      const archives = journal.prepare<[], ArchiveRow>(
        'SELECT first_seq AS firstSeq, last_seq AS lastSeq FROM archives ORDER BY last_seq',
      );
      const needed = archives.all().filter(({ lastSeq }) => lastSeq >= this.seq);
      parts.unshift(...needed.map((row) => open(join(this.#dataDir, 'archive', fileOf(row)))));
      if (this.seq > 0) this.#recall(parts);
      // Commands that an archive and the journal both have are read once.
      for (const part of parts) this.#read(part);
    } finally {
      for (const part of parts) part.close();
    }
    this.#engine.validate();
  }

  /** Checks that the last command that was read is in some file, unchanged. */
  #recall(parts: readonly Database[]): void {
    const found = parts.flatMap((part) =>
      part.prepare('SELECT checksum FROM commands WHERE seq = ?').pluck().all(this.seq),
    );
    assert.ok(found.length > 0, `command ${this.seq} is there`);
    for (const checksum of found) {
      assert.equal(checksum, this.#checksum, `command ${this.seq} is unchanged`);
    }
  }

  #read(part: Database): void {
    const select = part.prepare<[number], CommandRow>(
      'SELECT seq, time_ms AS timeMs, kind, payload, checksum, ends_batch AS ends, digest ' +
        'FROM commands WHERE seq > ? ORDER BY seq',
    );
    for (const { seq, timeMs, kind, payload, ...row } of select.iterate(this.seq)) {
      assert.equal(seq, this.seq + 1, 'the journal has no gaps');
      assert.ok(timeMs >= this.timeMs, 'its times never go back');
      const { checksum, ends, digest } = row;
      const summed = `${seq}|${timeMs}|${kind}|${ends}|${digest ?? ''}|`;
      assert.equal(crc32(payload, crc32(summed)), checksum, `command ${seq}`);
      const engine = this.#engine;
      const input = this.#payloads.input(kind, payload, engine);
      [this.seq, this.timeMs, this.#checksum] = [seq, timeMs, checksum];
      const events = engine.apply(seq, timeMs, input);
      this.#take(events, this.#payloads.command(kind, payload, engine.names));
    }
  }

  #take(events: readonly EngineEvent[], command: Command): void {
    assert.ok(events.some(isChange), `a journaled ${command.kind} changes something`);
    const books = new Set<string>();
    for (const event of events) {
      this.#takeEvent(event);
      if (event.kind === 'level_changed') books.add(event.conditionId);
    }
    for (const conditionId of books) this.#noteBook(conditionId);
    this.#noteBalances();
  }

  #takeEvent(event: EngineEvent): void {
    switch (event.kind) {
      case 'order_accepted':
        assert.ok(!this.orders.has(event.orderId), `order ${event.orderId} is accepted once`);
        this.orders.set(event.orderId, { filledLots: 0, isOver: false });
        return;
      case 'fill':
        this.#order(event.takerOrderId).filledLots += event.lots;
        this.#order(event.makerOrderId).filledLots += event.lots;
        return;
      case 'order_closed':
        this.#order(event.orderId).isOver = true;
        return;
      case 'cash_moved':
      case 'sets_moved':
      case 'converted':
        this.moves.set(event.key, (this.moves.get(event.key) ?? 0) + 1);
        return;
      case 'api_key_issued':
        this.issuedKeys.add(event.apiKey);
        return;
      case 'api_key_revoked':
        this.revokedKeys.add(event.apiKey);
        return;
      case 'switch_armed':
        this.switches.set(event.heartbeatId, event.owner);
        this.armed.set(event.owner, event.heartbeatId);
        return;
      case 'switch_tripped':
        assert.ok(this.switches.has(event.heartbeatId), 'a switch is armed before it trips');
        this.armed.delete(event.owner);
        return;
      case 'level_changed':
        this.#takeLevel(event);
        return;
      default:
    }
  }

  #takeLevel(event: EngineEvent & { readonly kind: 'level_changed' }): void {
    const { conditionId, side, priceTicks, lots } = event;
    const levels = this.#levels.get(conditionId) ?? new Map<string, PlainLevel>();
    this.#levels.set(conditionId, levels);
    const place = `${side} ${priceTicks}`;
    if (lots === 0) levels.delete(place);
    else levels.set(place, { side, ticks: priceTicks, lots });
  }

  #order(orderId: string): WitnessedOrder {
    const order = this.orders.get(orderId);
    assert.ok(order !== undefined, `order ${orderId} was accepted`);
    return order;
  }

  #noteBook(conditionId: string): void {
    this.books.add(`${conditionId} ${this.levelsOf(conditionId)}`);
  }

  #noteBalances(): void {
    for (const address of this.#watched.addresses) {
      for (const tokenId of this.#watched.tokenIds) {
        this.balances.add(this.balanceText(address, tokenId));
      }
    }
  }
}

function open(path: string): Database {
  return new SqliteDatabase(path, { readonly: true, timeout: BUSY_MS });
}

function digits(seq: number): string {
  return String(seq).padStart(15, '0');
}

function fileOf({ firstSeq, lastSeq }: ArchiveRow): string {
  return `journal-${digits(firstSeq)}-${digits(lastSeq)}.db`;
}
