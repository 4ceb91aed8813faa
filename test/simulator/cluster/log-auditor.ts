/**
 * Watches the store of a simulated cluster and all that nodes tell their clients. Invariant: it
 * relies on nothing that a node reports about the log: it sees each change of the store itself.
 */
import { strict as assert } from 'node:assert';
import { decodeEntry } from '../../../cluster/log/entry-codec.ts';
import type { LogEntry, LogPosition } from '../../../cluster/log/index.ts';
import type { LogKeys } from '../../../cluster/log/log-keys.ts';
import { decodeReplica } from '../../../cluster/log/log-records.ts';
import { jsonCommand, type Payload } from '../../../persistence/rows/payload.ts';
import type { StoreChange } from './sim-store.ts';

const DIGITS = 16;
/** No request is on its way for longer. */
const LONGEST_WAY_MS = 45_000;

/** A promise of the protocol that was broken. */
class BrokenPromise extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenPromise';
  }
}

function demand(holds: boolean, otherwise: () => string): void {
  if (!holds) throw new BrokenPromise(otherwise());
}

/** The payload of a movement of money. Only orders and cancels are packed. */
export function jsonOf(payload: Payload): string {
  assert(typeof payload === 'string', 'clients send no orders');
  return payload;
}

export class LogAuditor {
  readonly #keys: LogKeys;
  /** Every entry that ever was in the log. */
  readonly #entries: LogEntry[] = [];
  /** Where each movement of money is in the log. */
  readonly #seqs = new Map<string, number>();
  #lastSeq = 0;
  /** The highest seq that any client was told. */
  #toldSeq = 0;
  /** Of each registered node, what it has synced, and since when it is registered. */
  readonly #synced = new Map<string, { readonly number: number; readonly sinceMs: number }>();

  constructor(keys: LogKeys) {
    this.#keys = keys;
  }

  get length(): number {
    return this.#entries.length;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get toldSeq(): number {
    return this.#toldSeq;
  }

  get epochs(): number {
    return new Set(this.#entries.map(({ epoch }) => epoch)).size;
  }

  /** To be called for each change of the store, in order. */
  observe({ by, puts, removed }: StoreChange, nowMs: number): void {
    for (const [key, value] of puts) {
      if (this.#isEntry(key)) this.#add(by, key, decodeEntry(key, value));
      else if (this.#isReplica(key)) this.#register(key, decodeReplica(key, value).number, nowMs);
    }
    for (const key of removed) {
      if (this.#isReplica(key)) this.#synced.delete(this.#keys.nodeOf(key));
      else this.#checkPruned(Number(key.slice(-DIGITS)), nowMs);
    }
  }

  #isEntry(key: string): boolean {
    return key.startsWith(`${this.#keys.prefix}log/`);
  }

  #isReplica(key: string): boolean {
    return key === this.#keys.replica(this.#keys.nodeOf(key));
  }

  #register(key: string, number: number, nowMs: number): void {
    const node = this.#keys.nodeOf(key);
    const before = this.#synced.get(node);
    const isOld = before !== undefined && before.number <= number;
    this.#synced.set(node, { number, sinceMs: isOld ? before.sinceMs : nowMs });
  }

  /** A registration that is newer than a prune on its way is not protected; the node notices. */
  #checkPruned(entry: number, nowMs: number): void {
    demand(entry < this.#entries.length, () => `entry ${entry} is gone, the newest one`);
    for (const [node, { number, sinceMs }] of this.#synced) {
      const isProtected = nowMs - sinceMs > LONGEST_WAY_MS && entry > number;
      demand(!isProtected, () => `entry ${entry} is gone, and ${node} has synced ${number}`);
    }
  }

  #add(by: string, key: string, entry: LogEntry): void {
    const { number } = entry;
    demand(key === this.#keys.entry(number), () => `entry ${number} is stored as ${key}`);
    const next = this.#entries.length + 1;
    demand(number === next, () => `${by} wrote entry ${number}, and the next one is ${next}`);
    const before = this.#entries.at(-1);
    demand(entry.epoch >= (before?.epoch ?? 0), () => `entry ${number} has an older epoch`);
    if (before !== undefined) {
      demand(entry.previous === before.check, () => `entry ${number} has another predecessor`);
    }
    this.#entries.push(entry);
    entry.kinds.forEach((kind, index) => {
      this.#lastSeq += 1;
      const seq = entry.firstSeq + index;
      demand(seq === this.#lastSeq, () => `seq ${seq} in entry ${number}, not ${this.#lastSeq}`);
      this.#note(seq, jsonCommand(kind, jsonOf(entry.payloads[index]!)));
    });
  }

  #note(seq: number, command: ReturnType<typeof jsonCommand>): void {
    if (command.kind !== 'deposit') return;
    const first = this.#seqs.get(command.key);
    demand(first === undefined, () => `${command.key} moved money at ${first} and at ${seq}`);
    this.#seqs.set(command.key, seq);
  }

  /** A node says that it has all entries up to this one. */
  has(node: string, { number, check }: LogPosition): void {
    demand(number <= this.length, () => `${node} has entry ${number}, which nobody committed`);
    const entry = this.#entries[number - 1];
    if (number > 0) demand(entry?.check === check, () => `${node} has another entry ${number}`);
  }

  /** A client is told that its money was moved. */
  answers(node: string, key: string, seq: number): void {
    demand(this.#seqs.has(key), () => `${node} acknowledged ${key}, which is not in the log`);
    this.shows(node, seq, 0);
  }

  /** A client is shown a state that must have all that clients were told before it asked. */
  shows(node: string, seq: number, toldSeq: number): void {
    demand(seq <= this.#lastSeq, () => `${node} shows seq ${seq}, the log has ${this.#lastSeq}`);
    demand(seq >= toldSeq, () => `${node} shows seq ${seq} after another node showed ${toldSeq}`);
    this.#toldSeq = Math.max(this.#toldSeq, seq);
  }
}
