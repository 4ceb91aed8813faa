// docs/clients.md is made from its table, and each program in it runs unchanged on a real exchange.
import printer from 'node:console';
import { readdirSync } from 'node:fs';
import { Side } from '@polymarket/clob-client-v2';
import t, { type Test } from 'tap';
import { generatePrivateKey } from 'viem/accounts';
import { place, startStage } from '../stage.ts';
import { exampleUrl, RUN_CLIENTS } from './client-settings.ts';

const stage = await startStage(t);
const { alice, bob, yes, exchange } = stage;

// Clients also print that a socket was closed, some time after the example has ended.
for (const level of ['warn', 'error'] as const) t.capture(printer, level, () => {});
const printed = t.capture(printer, 'log', () => {});

// Other files of this process start programs, which read them too.
t.teardown(() => {
  for (const name of ['EXCHANGE_URL', 'TOKEN_ID', 'PRIVATE_KEY']) delete process.env[name];
});

/** What an example prints last. `meanwhile` is repeated until it ends. */
async function run(example: string, meanwhile?: () => Promise<void>): Promise<unknown> {
  printed();
  process.env.EXCHANGE_URL = exchange.running.url;
  process.env.TOKEN_ID = yes;
  process.env.PRIVATE_KEY = generatePrivateKey();
  let isDone = false;
  const done = import(exampleUrl(example).href).finally(() => {
    isDone = true;
  });
  if (meanwhile !== undefined) while (!isDone) await meanwhile();
  await done;
  return printed().at(-1)?.args[0];
}

const CHECKS: Readonly<Record<string, (t: Test, example: string) => Promise<void>>> = {
  'order-book-v2.ts': async (t, example) => {
    t.match(await run(example), { success: true, status: 'live', orderID: /^0x/ });
  },
  'unified.ts': async (t, example) => {
    t.match(await run(example), { ok: true, status: 'live', orderId: /^0x/ });
  },
  'order-book-v1.ts': async (t, example) => {
    t.match(await run(example), { success: true, status: 'live', orderID: /^0x/ });
  },
  'live-data.ts': async (t, example) => {
    const payload = await run(example, async () => {
      await place(alice.client, yes, { side: Side.SELL, price: 0.5, size: 5 });
      await place(bob.client, yes, { side: Side.BUY, price: 0.5, size: 5 });
    });
    t.match(payload, { asset: yes, price: 0.5, size: 5 });
  },
  'ccxt.ts': async (t, example) => {
    t.match(await run(example), { id: /^0x/, side: 'buy' });
  },
  'sockets.ts': async (t, example) => {
    t.match(await run(example), {
      event_type: 'book',
      asset_id: yes,
      asks: [{ price: '0.55' }],
    });
  },
};

t.test('each example has a section of the page and a check', async (t) => {
  const files = readdirSync(exampleUrl('.')).toSorted();
  t.strictSame(RUN_CLIENTS.map(({ example }) => example).toSorted(), files);
  t.strictSame(Object.keys(CHECKS).toSorted(), files);
});

for (const [example, check] of Object.entries(CHECKS)) {
  t.test(`${example} runs as it is`, (t) => check(t, example));
}
