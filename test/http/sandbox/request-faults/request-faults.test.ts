// Faults of requests, over real connections.
import t from 'tap';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';
import { makeFault, removeFault } from '../fault-fixture.ts';

const next = await shareTestExchange(t);

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly fault: string | null;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** What a client sees of a request; undefined for a connection that closed without an answer. */
async function seen(
  { running }: TestExchange,
  trader: Trader,
  [method, path, value]: readonly [method: string, path: string, value?: unknown],
): Promise<Seen | undefined> {
  const body = value === undefined ? null : JSON.stringify(value);
  const headers = trader.keyHeaders(method, path, body ?? '');
  let response: Response;
  try {
    response = await fetch(running.url + path, { method, headers, body });
  } catch {
    return undefined;
  }
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    fault: response.headers.get('x-injected-fault'),
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

/** Whether an order is on the books: a retry is answered as a duplicate. */
async function isPlaced(trader: Trader, payload: object): Promise<boolean> {
  return (await trader.signed('POST', '/order', payload)).body.duplicate === true;
}

t.test('an acknowledgement is lost after the order was applied', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const rows: [answer: string, status: number | undefined, type?: string][] = [
    ['close', undefined],
    ['500', 500, 'application/json'],
    ['502', 502, 'text/html'],
  ];
  for (const [answer, status, type] of rows) {
    const match = { owner: trader.address };
    const id = await makeFault(exchange, { kind: 'lost_acknowledgement', match, answer });
    const payload = trader.order({ tokenId: exchange.plain.tokenIds[0], priceTicks: 4000 });
    const lost = await seen(exchange, trader, ['POST', '/order', payload]);
    if (status === undefined) t.equal(lost, undefined, 'the connection closed');
    else t.match(lost, { status, type, fault: id });
    t.equal(await isPlaced(trader, payload), true, `${answer}: the order was applied`);
    const fault = await removeFault(exchange, id);
    t.match(fault, {
      state: 'spent',
      matched: 1,
      hits: [{ method: 'POST', path: '/order', owner: trader.address }],
    });
    t.match(fault.hits[0], { account: trader.address, market: exchange.plain.conditionId });
  }
});
