// Faults over the operator's listener, for tests.
import type { Answer, TestExchange } from '../../exchange-fixture.ts';
import { sendTo } from '../../exchange-fixture.ts';

/** A fault as the routes show it. */
export interface ShownFault {
  readonly id: string;
  readonly state: string;
  readonly matched: number;
  readonly fired: number;
  readonly hits: readonly Readonly<Record<string, string>>[];
}

/** Sends a request to /faults. */
export function sendFault(
  { running }: TestExchange,
  method: string,
  path = '',
  body?: unknown,
): Promise<Answer> {
  const { adminPort, adminToken } = running;
  return sendTo(`http://127.0.0.1:${adminPort}`, method, `/faults${path}`, {
    headers: { authorization: `Bearer ${adminToken}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Creates a fault and returns its id. */
export async function createFault(exchange: TestExchange, fault: object): Promise<string> {
  const { status, text } = await sendFault(exchange, 'POST', '', fault);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text).id;
}

/** What a fault did so far. */
export async function readFault(exchange: TestExchange, id: string): Promise<ShownFault> {
  const { text } = await sendFault(exchange, 'GET');
  const { data }: { readonly data: readonly ShownFault[] } = JSON.parse(text);
  const found = data.find((fault) => fault.id === id);
  if (found === undefined) throw new Error(`there is no fault ${id}`);
  return found;
}

/** Removes a fault and returns what it did. */
export async function removeFault(exchange: TestExchange, id: string): Promise<ShownFault> {
  return JSON.parse((await sendFault(exchange, 'DELETE', `/${id}`)).text);
}
