// Makes, reads and removes faults as an operator does.
import { strict as assert } from 'node:assert';
import { type Answer, sendTo, type TestExchange } from '../http/exchange-fixture.ts';

export interface ShownFault {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly matched: number;
  readonly fired: number;
  readonly hits: readonly {
    readonly path: string;
    readonly owner: string;
    readonly account: string;
    readonly market: string;
    readonly done: string;
  }[];
}

/** A request to the operator's listener. The body is sent as it is. */
export function sendOperator(
  { running: { adminPort, adminToken } }: TestExchange,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return sendTo(`http://127.0.0.1:${adminPort}`, method, path, {
    headers: { authorization: `Bearer ${adminToken}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Makes a fault, and returns its id. */
export async function makeFault(exchange: TestExchange, fault: object): Promise<string> {
  const { status, text } = await sendOperator(exchange, 'POST', '/faults', fault);
  assert.equal(status, 200, text);
  return JSON.parse(text).id;
}

export async function readFault(exchange: TestExchange, id: string): Promise<ShownFault> {
  const { text } = await sendOperator(exchange, 'GET', '/faults');
  const { data }: { data: ShownFault[] } = JSON.parse(text);
  const fault = data.find((one) => one.id === id);
  assert.ok(fault, `there is no fault ${id}`);
  return fault;
}

/** What a fault did, each time that it fired. */
export async function deedsOf(exchange: TestExchange, id: string): Promise<readonly string[]> {
  return (await readFault(exchange, id)).hits.map(({ done }) => done);
}

/** Removes a fault, and returns what it did. */
export async function removeFault(exchange: TestExchange, id: string): Promise<ShownFault> {
  const { status, text } = await sendOperator(exchange, 'DELETE', `/faults/${id}`);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}
