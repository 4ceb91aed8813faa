/** The keys of a log: all below its prefix. */
import { strict as assert } from 'node:assert';
import type { Operation } from './key-value-store.ts';

const DIGITS = 16;

export class LogKeys {
  readonly prefix: string;
  /** What the log is, written once. */
  readonly meta: string;
  readonly epoch: string;
  /** The newest entry. */
  readonly head: string;
  /** Up to where entries were removed. */
  readonly pruned: string;
  /** Written by transactions that only read: this makes them as strict as those that write. */
  readonly look: string;
  readonly #log: string;
  readonly #replica: string;

  /** `prefix` ends with a slash. */
  constructor(prefix: string) {
    assert(prefix.endsWith('/'), 'a prefix ends with a slash');
    this.prefix = prefix;
    this.meta = `${prefix}meta`;
    this.epoch = `${prefix}epoch`;
    this.head = `${prefix}head`;
    this.pruned = `${prefix}pruned`;
    this.look = `${prefix}look`;
    this.#log = `${prefix}log/`;
    this.#replica = `${prefix}replica/`;
  }

  /** Numbers of equal length, so that keys are ordered as numbers are. */
  entry(number: number): string {
    return `${this.#log}${String(number).padStart(DIGITS, '0')}`;
  }

  replica(node: string): string {
    return `${this.#replica}${node}`;
  }

  nodeOf(key: string): string {
    return key.slice(this.#replica.length);
  }

  /**
   * Reads up to `limit` entries after one. The range ends there too, since etcd looks at each key
   * of a range, however few it returns.
   */
  entriesAfter(number: number, limit: number): Operation {
    const first = number + 1;
    return { kind: 'range', from: this.entry(first), to: this.entry(first + limit), limit };
  }

  replicas(limit: number): Operation {
    return { kind: 'range', from: this.#replica, to: endOf(this.#replica), limit };
  }

  all(limit: number): Operation {
    return { kind: 'range', from: this.prefix, to: endOf(this.prefix), limit };
  }
}

/** The end of the range of all keys that begin with a text that ends with a slash. */
function endOf(start: string): string {
  return `${start.slice(0, -1)}0`; // the character after the slash
}
