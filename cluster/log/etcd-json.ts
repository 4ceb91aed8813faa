/** Transactions and answers in the JSON of etcd's gateway: keys and values are base64. */
import type {
  Compare,
  FoundKeys,
  KeyValue,
  Operation,
  Transaction,
  TransactionResult,
} from './key-value-store.ts';

export function transactionJson({ compares, success, failure }: Transaction): string {
  return JSON.stringify({
    compare: compares.map(compareJson),
    success: success.map(operationJson),
    failure: failure.map(operationJson),
  });
}

function compareJson(compare: Compare) {
  const key = base64(compare.key);
  return compare.kind === 'value'
    ? { key, result: 'EQUAL', target: 'VALUE', value: base64(compare.value) }
    : { key, result: 'EQUAL', target: 'VERSION', version: '0' };
}

function operationJson(operation: Operation) {
  switch (operation.kind) {
    case 'put':
      return { request_put: { key: base64(operation.key), value: base64(operation.value) } };
    case 'get':
      return { request_range: { key: base64(operation.key) } };
    case 'range': {
      const { from, to, limit } = operation;
      return { request_range: { ...rangeJson(from, to), limit } };
    }
    case 'remove':
      return { request_delete_range: rangeJson(operation.from, operation.to) };
  }
}

function rangeJson(from: string, to: string) {
  return { key: base64(from), range_end: base64(to) };
}

function base64(value: string | Uint8Array): string {
  return typeof value === 'string'
    ? Buffer.from(value).toString('base64')
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}

interface JsonHeader {
  readonly cluster_id: string;
  readonly revision: string;
}

interface JsonKeyValue {
  readonly key: string;
  /** Left out if it is empty. */
  readonly value?: string;
}

interface JsonResult {
  readonly header: JsonHeader;
  /** Left out if it is false. */
  readonly succeeded?: boolean;
  readonly responses?: readonly {
    readonly response_range?: { readonly kvs?: readonly JsonKeyValue[] };
  }[];
}

/** The id of the cluster that answered; undefined for an answer that is not etcd's. */
export function clusterOf(answer: unknown): string | undefined {
  const header = headerOf(answer);
  return typeof header?.cluster_id === 'string' ? header.cluster_id : undefined;
}

/** Reads the answer to a transaction from a node for which `clusterOf` is defined. */
export function resultOf(answer: unknown): TransactionResult {
  // Safe: etcd made it, as its header shows.
  const { header, succeeded = false, responses = [] } = answer as JsonResult;
  return { succeeded, found: responses.map(foundIn), revision: Number(header.revision) };
}

function foundIn({
  response_range: range,
}: NonNullable<JsonResult['responses']>[number]): FoundKeys {
  return (range?.kvs ?? []).map(({ key, value = '' }): KeyValue => {
    return { key: Buffer.from(key, 'base64').toString(), value: Buffer.from(value, 'base64') };
  });
}

function headerOf(answer: unknown): Partial<JsonHeader> | undefined {
  if (typeof answer !== 'object' || answer === null || !('header' in answer)) return undefined;
  const { header } = answer;
  return typeof header === 'object' && header !== null ? header : undefined;
}
