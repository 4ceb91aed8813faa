/**
 * A separate process that trades on a data folder, or with `--memory`, for tests that kill it or
 * find it in the way. It says `ready` and its folder, then each acknowledged order id at once.
 */

import { dirname } from 'node:path';
import { openExchange } from '../../persistence/index.ts';
import { handleEvents } from './event-handlers.ts';
import { ALICE, createMarket, openAccount, order } from './store-fixture.ts';

const [dataDir, firstNumber = '1'] = process.argv.slice(2);
// A run of all files of the folder as tests starts this file too, and must not get a data folder.
if (dataDir === undefined) throw new Error('give the data folder, or --memory');
/** Written before it returns, because standard output is a pipe. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const exchange = await openExchange({
  dataDir,
  temporary: dataDir === '--memory',
  now: Date.now,
  funding: 'paper',
  onEvent: handleEvents({}),
});
await Promise.all([createMarket, openAccount(ALICE)].map((command) => exchange.submit(command)));
say(`ready ${dirname(exchange.journalPath)}`);

/** Several orders at once, each cancelled by the next but one, for as long as it lives. */
async function trade(number: number): Promise<void> {
  const placed = order(number);
  const cancelled = order(number - 64).orderId;
  const [{ events }] = await Promise.all([
    exchange.submit(placed),
    exchange.submit({ kind: 'cancel_orders', owner: ALICE, orderIds: [cancelled] }),
  ]);
  if (events[0]?.kind !== 'order_accepted') throw new Error(JSON.stringify(events));
  say(placed.orderId);
  await trade(number + 16);
}

await Promise.all(Array.from({ length: 16 }, (_, lane) => trade(Number(firstNumber) + lane)));
