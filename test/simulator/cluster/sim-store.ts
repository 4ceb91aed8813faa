/**
 * The key-value store of a simulated cluster, behind a network that loses, delays and repeats
 * requests and loses answers. Invariant: transactions happen one after the other, each as a whole,
 * when their request arrives, which may be long after its sender gave up.
 */

import type {
  Compare,
  FoundKeys,
  KeyValueStore,
  Operation,
  Transaction,
  TransactionResult,
} from '../../../cluster/log/index.ts';
import { NoAnswerError } from '../../../cluster/log/index.ts';
import type { Random } from '../../../http/codec/random.ts';
import type { SimClock, SimProcess } from '../sim-clock.ts';

/** How the network between nodes and store behaves, drawn once for each simulation. */
export interface StoreHabits {
  readonly lossPercent: number;
  readonly repeatPercent: number;
  readonly slowPercent: number;
  /** The longest delay of a slow message. */
  readonly slowMs: number;
  /** After this time a node gives up waiting for an answer. */
  readonly timeoutMs: number;
}

/** What one transaction changed, in the order in which transactions happened. */
export interface StoreChange {
  readonly by: string;
  readonly puts: ReadonlyMap<string, Uint8Array>;
  readonly removed: readonly string[];
}

/** Changes a transaction on its way, or answers it too early: a bug that is planted on purpose. */
export interface StorePlant {
  readonly onSend?: (transaction: Transaction) => Transaction;
  /** Whether the transaction reads when it is sent, in place of when it happens. */
  readonly readsEarly?: (transaction: Transaction) => boolean;
  /** Whether the answer leaves before the transaction happens, which it then may never do. */
  readonly answersEarly?: (transaction: Transaction) => boolean;
}

interface SimStoreOptions {
  readonly clock: SimClock;
  readonly random: Random;
  readonly habits: StoreHabits;
  readonly plant: StorePlant | undefined;
  readonly onChange: (change: StoreChange) => void;
}

export class SimStore {
  readonly options: SimStoreOptions;
  readonly #values = new Map<string, Uint8Array>();
  #revision = 1;
  /** Requests that wait for the end of an outage; undefined while there is none. */
  #backlog: (() => void)[] | undefined;
  transactions = 0;

  constructor(options: SimStoreOptions) {
    this.options = options;
  }

  get isUp(): boolean {
    return this.#backlog === undefined;
  }

  goDown(): void {
    this.#backlog ??= [];
  }

  /** Some of the requests that arrived during the outage happen now, after all. */
  comeUp(): void {
    const backlog = this.#backlog ?? [];
    this.#backlog = undefined;
    const { clock, random } = this.options;
    for (const arrive of backlog) {
      if (random.chance(50)) clock.afterAs(undefined, random.below(50), arrive);
    }
  }

  value(key: string): Uint8Array | undefined {
    return this.#values.get(key);
  }

  /** What an operator does by hand. */
  remove(key: string): void {
    const remove = { kind: 'remove', from: key, to: `${key}\0` } as const;
    this.apply('operator', { compares: [], success: [remove], failure: [] });
  }

  /** Calls `arrive` now, or after the outage. */
  admit(arrive: () => void): void {
    if (this.#backlog === undefined) arrive();
    else this.#backlog.push(() => this.admit(arrive));
  }

  /** Does a transaction in one step. */
  apply(by: string, { compares, success, failure }: Transaction): TransactionResult {
    this.transactions += 1;
    const succeeded = compares.every((compare) => this.#holds(compare));
    const puts = new Map<string, Uint8Array>();
    const removed: string[] = [];
    const found = (succeeded ? success : failure).map((operation) => {
      if (operation.kind === 'put') {
        puts.set(operation.key, operation.value);
        this.#values.set(operation.key, operation.value);
      } else if (operation.kind === 'remove') {
        for (const key of this.#keysIn(operation)) {
          removed.push(key);
          this.#values.delete(key);
        }
      }
      return this.#find(operation);
    });
    if (puts.size + removed.length > 0) {
      this.#revision += 1;
      this.options.onChange({ by, puts, removed });
    }
    return { succeeded, found, revision: this.#revision };
  }

  #holds(compare: Compare): boolean {
    const value = this.#values.get(compare.key);
    if (compare.kind === 'absent') return value === undefined;
    return value !== undefined && Buffer.compare(value, compare.value) === 0;
  }

  read(operations: readonly Operation[]): FoundKeys[] {
    return operations.map((operation) => this.#find(operation));
  }

  #find(operation: Operation): FoundKeys {
    if (operation.kind === 'get') {
      const value = this.#values.get(operation.key);
      return value === undefined ? [] : [{ key: operation.key, value }];
    }
    if (operation.kind !== 'range') return [];
    const keys = this.#keysIn(operation).slice(0, operation.limit);
    return keys.map((key) => ({ key, value: this.#values.get(key)! }));
  }

  #keysIn({ from, to }: { readonly from: string; readonly to: string }): string[] {
    return [...this.#values.keys()].filter((key) => key >= from && key < to).sort();
  }
}

/** The way of one node to the store and back, either of which can be cut. */
export class SimStoreLine implements KeyValueStore {
  readonly #store: SimStore;
  readonly #process: SimProcess;
  carriesRequests = true;
  carriesAnswers = true;

  constructor(store: SimStore, process: SimProcess) {
    this.#store = store;
    this.#process = process;
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    const { clock, random, habits, plant } = this.#store.options;
    const sent = plant?.onSend?.(transaction) ?? transaction;
    const early = plant?.readsEarly?.(sent) ? this.#store.read(sent.success) : undefined;
    return new Promise((resolve, reject) => {
      const timer = clock.after(habits.timeoutMs, () =>
        reject(new NoAnswerError('no answer in time')),
      );
      const answer = (result: TransactionResult): void => {
        if (!this.carriesAnswers || random.chance(habits.lossPercent)) return;
        clock.afterAs(this.#process, this.#delay(), () => {
          clock.clear(timer);
          // etcd answers some transactions that it did with an error.
          if (random.chance(habits.lossPercent)) reject(new NoAnswerError('not enough space'));
          else resolve(early && result.succeeded ? { ...result, found: early } : result);
        });
      };
      if (plant?.answersEarly?.(sent)) answer({ succeeded: true, found: [], revision: 0 });
      this.#send(sent, answer);
    });
  }

  compact(): Promise<void> {
    return Promise.resolve();
  }

  #send(transaction: Transaction, answer: (result: TransactionResult) => void): void {
    const { clock, random, habits } = this.#store.options;
    if (!this.carriesRequests || random.chance(habits.lossPercent)) return;
    const arrive = (reply: typeof answer) => (): void =>
      this.#store.admit(() => reply(this.#store.apply(this.#process.name, transaction)));
    clock.afterAs(undefined, this.#delay(), arrive(answer));
    if (!random.chance(habits.repeatPercent)) return;
    // A proxy or a broken connection repeats the request, and no one hears its second answer.
    clock.afterAs(
      undefined,
      this.#delay() + random.below(20_000),
      arrive(() => undefined),
    );
  }

  #delay(): number {
    const { random, habits } = this.#store.options;
    return random.chance(habits.slowPercent) ? random.below(habits.slowMs) : random.below(4);
  }
}
