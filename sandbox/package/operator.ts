/** Calls the operator's API of a running exchange. */
import type { Checkpoint, Exchange, Fault } from './exchange-types.ts';

export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly status: number;
  /** Stable, such as `invalid_payload`; '' if the answer was not JSON. */
  readonly code: string;
  /** The whole answer, with the field, the limit and the actual value. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const { error = 'the request was refused', code = '' } = Object(body);
    super(`${error} (${status}${code === '' ? '' : ` ${code}`}): ${JSON.stringify(body)}`);
    this.status = status;
    this.code = String(code);
    this.body = body;
  }
}

type Operator = Exchange['operator'];

async function send(url: string, method: string, body?: object, token?: string): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new ExchangeError(response.status, answer);
  return answer;
}

export function operatorOf(adminUrl: string, token: string): Operator {
  return (method, path, body) => send(adminUrl + path, method, body, token);
}

type Parts = Pick<Exchange, 'faults' | 'time' | 'checkpoints' | 'faucet'>;

// Each cast of an answer is safe: the routes' schemas promise it, and the tests compare them.
export function partsOf(operator: Operator, url: string): Parts {
  const listOf = async (answer: Promise<unknown>) => (await answer) as { data: never[] };
  const timeMs = async (answer: Promise<unknown>) => ((await answer) as TimeAnswer).time_ms;
  return {
    faults: {
      add: async (fault) => (await operator('POST', '/faults', fault)) as Fault,
      list: async () => (await listOf(operator('GET', '/faults'))).data,
      remove: async (id) => (await operator('DELETE', `/faults/${id}`)) as Fault,
      clear: async () => (await listOf(operator('DELETE', '/faults'))).data,
    },
    time: {
      now: () => timeMs(operator('GET', '/time')),
      advance: (seconds) => timeMs(operator('POST', '/time', { seconds })),
    },
    checkpoints: {
      make: async (name) =>
        (await operator('POST', '/checkpoints', name === undefined ? {} : { name })) as Checkpoint,
      list: async () => (await listOf(operator('GET', '/checkpoints'))).data,
      restore: async (id) => {
        await operator('POST', `/checkpoints/${id}/restore`);
      },
      remove: async (id) => {
        await operator('DELETE', `/checkpoints/${id}`);
      },
    },
    faucet: async (address, amount) => {
      await send(`${url}/faucet`, 'POST', { address, amount });
    },
  };
}

interface TimeAnswer {
  readonly time_ms: number;
}
