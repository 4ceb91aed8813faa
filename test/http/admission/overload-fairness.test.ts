// A hostile owner floods the exchange, and a quiet one must still be served.
import t, { type Test } from 'tap';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import {
  type Payload,
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../exchange-fixture.ts';

const CONNECTIONS = 30;
const BATCH = 15;
const QUIET_ORDERS = 4;
/** Low bounds, so that refusals come soon on any machine. */
const BOUNDS = { ...OVERLOAD_BOUNDS, burstWaitMs: 20, congestedWaitMs: 10 };

/** Signed with the right key, but for an order with another salt. */
function badlySigned(payload: Payload): Payload {
  const { signature, ...order } = payload.order;
  return { ...payload, order: { ...order, signature: `${signature}`, salt: `${order.salt}9` } };
}

/** Sends batches through CONNECTIONS connections until `stop`; counts answers by status. */
function startFlood(hostile: Trader, bodies: readonly (readonly Payload[])[]) {
  const statuses = new Map<number, number>();
  let isOver = false;
  const connection = async (number: number): Promise<void> => {
    for (let round = number; !isOver; round += 1) {
      const { status } = await hostile.signed('POST', '/orders', bodies[round % bodies.length]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const connections = Array.from({ length: CONNECTIONS }, (_, number) => connection(number));
  return {
    statuses,
    stop: async () => {
      isOver = true;
      await Promise.all(connections);
    },
  };
}

function bodiesOf(hostile: Trader, tokenId: string, make: (payload: Payload) => Payload) {
  return Array.from({ length: 20 }, () =>
    Array.from({ length: BATCH }, () => make(hostile.order({ tokenId, lots: 500 }))),
  );
}

/** The quiet owner sends one order at a time. None may be refused or lost. */
async function checkQuiet(t: Test, quiet: Trader, { running, plain }: TestExchange) {
  const [tokenId] = plain.tokenIds;
  const { reader } = running.services.exchange;
  for (let number = 0; number < QUIET_ORDERS; number += 1) {
    const answer = await quiet.place({ tokenId, lots: 500 });
    t.match(
      answer,
      { status: 200, body: { success: true, status: 'live' } },
      `order ${number}: ${answer.text}`,
    );
    t.equal((await reader.order(answer.body.orderID))?.owner, quiet.address, 'it is placed');
    if (number > 0) continue;
    const body = { market: plain.conditionId, amount: '1', key: `${number}` };
    const split = await quiet.signed('POST', '/sets/split', body);
    t.not(split.status, 503, `split ${number}: ${split.text}`);
    t.match(await quiet.login(), { status: 200 }, `login ${number}`);
  }
}

const exchange = await shareTestExchange(t, { overload: BOUNDS, verifierThreads: 1 });

async function scenario(t: Test, flood: 'bad' | 'duplicates') {
  const test = exchange();
  const { running, plain, trader } = test;
  const [hostile, quiet] = [await trader(1), await trader(2)];
  const bodies = bodiesOf(hostile, plain.tokenIds[0], flood === 'bad' ? badlySigned : (it) => it);
  const { statuses, stop } = startFlood(hostile, bodies);
  try {
    while ((statuses.get(503) ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await checkQuiet(t, quiet, test);
  } finally {
    await stop();
  }
  t.ok((statuses.get(200) ?? 0) > 0, 'some of the flood is served too');
  const full = [...running.services.metrics.requests.overloads.all()].map(([what]) => what);
  const soft = ['waitMs', 'eventLoopMs', 'oldestOrderMs'];
  t.strictSame(
    full.filter((what) => !soft.includes(what)),
    [],
    'no hard bound was reached',
  );
  t.match(await hostile.place({ tokenId: plain.tokenIds[0], lots: 500 }), { status: 200 });
}

t.test('a flood of wrong signatures through many connections', (t) => scenario(t, 'bad'));
t.test('a flood of good orders, sent again and again', (t) => scenario(t, 'duplicates'));
