/**
 * The nodes of one etcd cluster as a store: transactions over the JSON gateway, which all versions
 * from 3.4 on have. Invariant: an answer counts only if the cluster gave it that the store was
 * opened with. Bounds: etcdAnswerMs of STORE_PACE.
 *
 * One node is asked at a time. If it does not answer, the next one is asked the next time.
 */
import { STORE_PACE, StoreError } from '../../persistence/shared/index.ts';
import type { EtcdHttp } from './etcd-http.ts';
import { clusterOf, resultOf, transactionJson } from './etcd-json.ts';
import {
  type KeyValueStore,
  NoAnswerError,
  type Transaction,
  type TransactionResult,
} from './key-value-store.ts';

export interface EtcdStoreOptions {
  readonly http: EtcdHttp;
  readonly urls: readonly string[];
  readonly clusterId: string;
}

/** The gRPC codes of requests that will never succeed. */
const INVALID = 3;
const OUT_OF_RANGE = 11;
const REFUSED_CODES: readonly unknown[] = [INVALID, 7, 12, 16];

export class EtcdStore implements KeyValueStore {
  readonly #options: EtcdStoreOptions;
  /** The place of the node that is asked. */
  #current = 0;
  #timeoutMs: number = STORE_PACE.etcdAnswerMs;

  constructor(options: EtcdStoreOptions) {
    this.#options = options;
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    return resultOf(await this.#post('/v3/kv/txn', transactionJson(transaction)));
  }

  async compact(revision: number): Promise<void> {
    const body = JSON.stringify({ revision: String(revision) });
    await this.#post('/v3/kv/compaction', body, [OUT_OF_RANGE]);
  }

  /** `allowed`: gRPC codes that are no failure. */
  async #post(path: string, body: string, allowed: readonly unknown[] = []): Promise<unknown> {
    const { http, urls } = this.#options;
    const current = this.#current;
    const url = `${urls[current]}${path}`;
    const timeoutMs = this.#timeoutMs;
    try {
      const { status, text } = await http.ask({ url, body, timeoutMs });
      const answer = parse(url, text);
      if (status !== 200) this.#refuse(url, answer, allowed);
      else this.#checkCluster(url, answer);
      this.#timeoutMs = STORE_PACE.etcdAnswerMs;
      return answer;
    } catch (error) {
      // Another request may have gone on to the next node already.
      if (this.#current === current) this.#current = (current + 1) % urls.length;
      this.#timeoutMs = Math.min(2 * timeoutMs, STORE_PACE.etcdAnswerMostMs);
      throw error;
    }
  }

  #refuse(url: string, answer: unknown, allowed: readonly unknown[]): void {
    const { code, message } = refusalOf(answer);
    if (allowed.includes(code)) return;
    const what = `${url} answers "${message}"`;
    if (!REFUSED_CODES.includes(code)) throw new NoAnswerError(what);
    throw new StoreError(
      'log_refused',
      `${what}: the exchange sends neither name nor password to etcd, so its authentication of ` +
        'users must be off. Certificates protect etcd instead (--cluster-cert)',
    );
  }

  #checkCluster(url: string, answer: unknown): void {
    const found = clusterOf(answer);
    const { clusterId } = this.#options;
    if (found === clusterId) return;
    throw new NoAnswerError(`${url} is of cluster ${found}, but this node began with ${clusterId}`);
  }
}

function parse(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NoAnswerError(`${url} answers what is not etcd's JSON: "${text.slice(0, 100)}"`);
  }
}

function refusalOf(answer: unknown): { readonly code: unknown; readonly message: unknown } {
  if (typeof answer !== 'object' || answer === null) return { code: undefined, message: answer };
  const { code, message } = { code: undefined, message: undefined, ...answer };
  return { code, message };
}
