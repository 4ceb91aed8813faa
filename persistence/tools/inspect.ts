/**
 * `inspect`: shows single records of a data folder. What a command did, and the state of an order,
 * account or market, comes from a replay of the journal from the newest snapshot before it.
 * Invariant: it changes nothing, also beside a running exchange, and reads no secret. Bound: one
 * step of the journal in memory, and the engine.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Command, Engine, type EngineEvent, type MarketState } from '../../engine/index.ts';
import { fillFields } from '../journal/fills.ts';
import { openOrderIdIndex } from '../journal/order-ids.ts';
import type { StoredCommand } from '../journal/part.ts';
import { JournalReader } from '../journal/reader.ts';
import { journalEnd } from '../journal/schema.ts';
import { applyStored } from '../recovery/recovery.ts';
import { type DurableCommand, readDatabase } from '../shared/index.ts';
import { openSnapshot } from '../snapshots/file.ts';
import { listSnapshots, type SnapshotPlace } from '../snapshots/folder.ts';
import { restoreNewest } from '../snapshots/restore.ts';
import type { ToolOptions } from './compaction-limit.ts';

/** The requested record does not exist. */
class InspectError extends Error {
  override readonly name = 'InspectError';
}

export interface InspectedCommand {
  readonly seq: number;
  readonly timeMs: number;
  readonly rules: number;
  readonly checksum: number;
  readonly command: Command;
  /** What was signed, or who requested the command and why; null if nothing was recorded. */
  readonly evidence: unknown;
  readonly events: readonly EngineEvent[];
}

interface Level {
  /** In YES ticks, as in the book. */
  readonly yesTicks: number;
  readonly restingLots: number;
  readonly orders: number;
}

/** The end of the journal. */
interface Place {
  readonly seq: number;
  readonly timeMs: number;
}

const ONE = 10_000;

export class Inspector {
  readonly #options: ToolOptions;
  readonly #path: string;
  readonly #journal: JournalReader;

  /** Throws InspectError if there is no journal, or StoreError. */
  constructor(options: ToolOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, 'journal.db');
    if (!existsSync(this.#path)) {
      throw new InspectError(`${this.#path} is missing: ${options.dataDir} is not a data folder`);
    }
    this.#journal = new JournalReader(this.#path);
  }

  close(): void {
    this.#journal.close();
  }

  async command(seq: number): Promise<InspectedCommand> {
    const stored = this.#stored(seq);
    const engine = await this.#engineAt(seq - 1);
    return this.#inspected(stored, this.#apply(engine, stored));
  }

  /** All fills of a command, or one by its ordinal. */
  fills(seq: number, ordinal: number | undefined) {
    this.#stored(seq);
    const fills = this.#journal.fills(seq - 1, seq).map(fillFields);
    if (fills.length === 0) throw new InspectError(`command ${seq} made no fill`);
    const asked = fills.filter((fill) => ordinal === undefined || fill.ordinal === ordinal);
    if (asked.length > 0) return asked;
    throw new InspectError(`command ${seq} made fills 0 to ${fills.length - 1}, not ${ordinal}`);
  }

  /**
   * The status of an order (`live`, `delayed`, or `closed: ` and the reason), the events of its
   * life in order, and the order as it is now, which is null if it is closed.
   */
  async order(orderId: string) {
    const index = openOrderIdIndex(this.#path);
    const { known } = index.lookup(orderId);
    index.close();
    if (known === undefined) throw new InspectError(`no order ${orderId} was ever accepted`);
    const engine = await this.#engineAt(known.acceptedSeq - 1);
    const accepted = this.#apply(engine, this.#stored(known.acceptedSeq));
    const life: { seq: number; timeMs: number; event: EngineEvent }[] = [];
    let stands = 'live';
    const follow = ({ seq, timeMs, events }: DurableCommand): boolean => {
      for (const event of events) {
        if (!isOf(event, orderId)) continue;
        life.push({ seq, timeMs, event });
        if (event.kind === 'order_delayed') stands = 'delayed';
        else if (event.kind === 'order_released') stands = 'live';
        else if (event.kind === 'order_closed') stands = `closed: ${event.reason}`;
      }
      return !stands.startsWith('closed');
    };
    const isOpen = follow(accepted);
    if (isOpen) await this.#replay(engine, known.acceptedSeq, this.#lastSeq(), follow);
    const { command } = accepted;
    const owner = command.kind === 'place_order' ? command.owner : '';
    const order = engine.owner(owner).orders.find((live) => live.orderId === orderId) ?? null;
    const stored = this.#stored(known.acceptedSeq);
    return { orderId, stands, accepted: this.#inspected(stored, accepted), life, order };
  }

  async account(address: string) {
    const engine = await this.#engineAt(this.#lastSeq());
    for (const account of engine.state().accounts) {
      if (account.address !== address) continue;
      const { orders } = engine.owner(account.owner);
      return { ...this.#end(), account, orders: orders.filter((one) => one.account === address) };
    }
    const owned = engine.owner(address).accounts.map((account) => account.address);
    const hint = owned.length === 0 ? '' : `, but it owns ${owned.join(', ')}`;
    throw new InspectError(`there is no account ${address}${hint}`);
  }

  /** `id`: a condition id or token id. The question is '' for a market without a catalog record. */
  async market(id: string) {
    const engine = await this.#engineAt(this.#lastSeq());
    for (const { bids, asks, ...market } of engine.state().markets) {
      if (market.conditionId !== id && !market.tokenIds.includes(id)) continue;
      const question = this.#question(market.conditionId);
      return { ...this.#end(), question, market, bids: levelsOf(bids), asks: levelsOf(asks) };
    }
    throw new InspectError(`there is no market or token ${id}`);
  }

  journal() {
    return readDatabase(this.#path, (database) => {
      const meta = database.prepare<[], [string, string]>('SELECT key, value FROM meta').raw();
      const kinds = database
        .prepare<[], [string, number]>('SELECT kind, count(*) FROM commands GROUP BY kind')
        .raw();
      return {
        ...this.#end(),
        firstSeq: this.#journal.firstSeq,
        archivedSeq: this.#journal.archivedSeq,
        bytes: statSync(this.#path).size,
        meta: Object.fromEntries(meta.all()),
        rules: this.#journal.rulesBorders(),
        archives: this.#journal.archives(),
        /** Counts leave out archived commands. */
        commands: Object.fromEntries(kinds.all()),
      };
    });
  }

  #lastSeq(): number {
    return this.#end().seq;
  }

  #end(): Place {
    const { lastSeq, lastTimeMs } = readDatabase(this.#path, journalEnd);
    return { seq: lastSeq, timeMs: lastTimeMs };
  }

  #stored(seq: number): StoredCommand {
    const lastSeq = this.#lastSeq();
    if (seq < 1 || seq > lastSeq) {
      throw new InspectError(`there is no command ${seq}: the journal has 1 to ${lastSeq}`);
    }
    const [stored] = this.#journal.commands(seq - 1, seq);
    if (stored === undefined) throw new InspectError(`there is no command ${seq}`);
    return stored;
  }

  #inspected(stored: StoredCommand, { command, events }: DurableCommand): InspectedCommand {
    const { seq, timeMs, checksum, evidence = null } = stored;
    return { seq, timeMs, rules: this.#journal.rulesAt(seq), checksum, command, evidence, events };
  }

  #apply(engine: Engine, stored: StoredCommand): DurableCommand {
    engine.rules = this.#journal.rulesAt(stored.seq);
    return applyStored(engine, stored);
  }

  async #engineAt(seq: number): Promise<Engine> {
    const restored = await restoreNewest({
      folder: join(this.#options.dataDir, 'snapshots'),
      journal: this.#journal,
      lastSeq: this.#lastSeq(),
      mostSeq: seq,
    });
    const engine = restored?.engine ?? new Engine();
    await this.#replay(engine, restored?.head.seq ?? 0, seq, () => true);
    return engine;
  }

  /** Stops when `isWanted` returns false. */
  async #replay(
    engine: Engine,
    fromSeq: number,
    lastSeq: number,
    isWanted: (applied: DurableCommand) => boolean,
  ): Promise<void> {
    for (let seq = fromSeq; seq < lastSeq; ) {
      const toSeq = this.#journal.stepEnd(seq, lastSeq);
      for (const stored of this.#journal.commands(seq, toSeq)) {
        if (!isWanted(this.#apply(engine, stored))) return;
      }
      seq = toSeq;
      this.#options.onProgress?.({ what: 'commands replayed', done: seq, total: lastSeq });
      await nextTurn();
    }
  }

  #question(conditionId: string): string {
    const path = join(this.#options.dataDir, 'catalog.db');
    if (!existsSync(path)) return '';
    const select = 'SELECT question FROM markets WHERE condition_id = ?';
    return readDatabase(
      path,
      (database) => database.prepare<[string], string>(select).pluck().get(conditionId) ?? '',
    );
  }
}

function isOf(event: EngineEvent, orderId: string): boolean {
  return (
    ('orderId' in event && event.orderId === orderId) ||
    (event.kind === 'fill' && [event.takerOrderId, event.makerOrderId].includes(orderId))
  );
}

/** The orders of one side, best first, added up by price. */
function levelsOf(orders: MarketState['bids']): Level[] {
  const levels = new Map<number, Level>();
  for (const { outcome, priceTicks, remainingLots } of orders) {
    const yesTicks = outcome === 0 ? priceTicks : ONE - priceTicks;
    const { restingLots = 0, orders: count = 0 } = levels.get(yesTicks) ?? {};
    const level = { yesTicks, restingLots: restingLots + remainingLots, orders: count + 1 };
    levels.set(yesTicks, level);
  }
  return [...levels.values()];
}

// `inspect snapshot`: lists the snapshots, or checks one and lists its parts.

/** The newest first. Throws InspectError if there is none. */
export function inspectSnapshots(dataDir: string) {
  const places = placesIn(dataDir);
  if (places.length === 0) throw new InspectError(`${dataDir} has no snapshot`);
  return places.map(listed);
}

/** Throws InspectError if there is none of `seq`, or StoreError if it is damaged. */
export function inspectSnapshot(dataDir: string, seq: number) {
  const places = placesIn(dataDir);
  const place = places.find((one) => one.seq === seq);
  if (place === undefined) {
    const there = places.map((one) => one.seq).join(', ') || 'none';
    throw new InspectError(`there is no snapshot of seq ${seq}. Snapshots: ${there}`);
  }
  const snapshot = openSnapshot(place.path);
  try {
    const parts = new Map<string, { name: string; count: number; bytes: number }>();
    for (const { name, bytes } of snapshot.parts()) {
      const sum = parts.get(name) ?? { name, count: 0, bytes: 0 };
      parts.set(name, { name, count: sum.count + 1, bytes: sum.bytes + bytes.length });
    }
    return { ...listed(place), head: snapshot.head, parts: [...parts.values()] };
  } finally {
    snapshot.close();
  }
}

function placesIn(dataDir: string): SnapshotPlace[] {
  if (!existsSync(dataDir)) throw new InspectError(`there is no folder ${dataDir}`);
  return listSnapshots(join(dataDir, 'snapshots'));
}

function listed({ seq, path }: SnapshotPlace) {
  return { seq, path, bytes: statSync(path).size };
}
