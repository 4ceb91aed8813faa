/** A store in memory for tests of the protocol. It loses requests and answers when it is told. */
import type {
  Compare,
  FoundKeys,
  KeyValueStore,
  Operation,
  Transaction,
  TransactionResult,
} from '../../../cluster/log/index.ts';
import { NoAnswerError } from '../../../cluster/log/index.ts';

/** What happens to a transaction: by default it is done and answered. */
export type Fate =
  | 'done'
  /** It never happens. */
  | 'request_lost'
  /** It happens, and the sender is not told. */
  | 'answer_lost'
  /** The sender is told that there is no answer, and it happens when the test calls `doLate`. */
  | 'late';

export class MemoryStore implements KeyValueStore {
  values = new Map<string, Buffer>();
  /** The fate of the next transactions, in order. */
  readonly fates: Fate[] = [];
  /** Called before each transaction that happens. */
  beforeEach: () => void = () => undefined;
  revision = 1;
  readonly compacted: number[] = [];
  readonly #late: Transaction[] = [];

  /** Changes the store in place. */
  put(key: string, value: Uint8Array): void {
    this.values.set(key, Buffer.from(value));
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    const fate = this.fates.shift() ?? 'done';
    await Promise.resolve();
    if (fate === 'late') this.#late.push(transaction);
    if (fate === 'late' || fate === 'request_lost') throw new NoAnswerError(`test: ${fate}`);
    const result = this.#do(transaction);
    if (fate === 'answer_lost') throw new NoAnswerError(`test: ${fate}`);
    return result;
  }

  /** Does the transactions that were late, in order. */
  doLate(): readonly TransactionResult[] {
    return this.#late.splice(0).map((transaction) => this.#do(transaction));
  }

  compact(revision: number): Promise<void> {
    this.compacted.push(revision);
    return Promise.resolve();
  }

  #do({ compares, success, failure }: Transaction): TransactionResult {
    this.beforeEach();
    const succeeded = compares.every((compare) => this.#holds(compare));
    const operations = succeeded ? success : failure;
    const found = operations.map((operation) => this.#perform(operation));
    this.revision += 1;
    return { succeeded, found, revision: this.revision };
  }

  #holds(compare: Compare): boolean {
    const value = this.values.get(compare.key);
    return compare.kind === 'absent' ? value === undefined : value?.equals(compare.value) === true;
  }

  #perform(operation: Operation): FoundKeys {
    switch (operation.kind) {
      case 'put':
        this.put(operation.key, operation.value);
        return [];
      case 'get': {
        const value = this.values.get(operation.key);
        return value === undefined ? [] : [{ key: operation.key, value }];
      }
      case 'range':
        return this.#range(operation).slice(0, operation.limit);
      case 'remove':
        for (const { key } of this.#range(operation)) this.values.delete(key);
        return [];
    }
  }

  #range({ from, to }: { from: string; to: string }): FoundKeys {
    const keys = [...this.values.keys()].filter((key) => key >= from && key < to).sort();
    return keys.map((key) => ({ key, value: this.values.get(key)! }));
  }
}
