/**
 * A separate process that trades on a data folder, or with `--memory`, for tests that kill it or
 * need a locked folder. It prints `ready` and its folder, then each order id when acknowledged.
 */

import { dirname } from 'node:path';
import { openExchange } from '../../persistence/index.ts';
import { handleEvents } from './event-handlers.ts';
import { ALICE, createMarket, openAccount, order } from './store-fixture.ts';

const [dataDir, firstNumber = '1'] = process.argv.slice(2);
// A run of all files of the folder as tests starts this file too, and must not get a data folder.
if (dataDir === undefined) throw new Error('give the data folder, or --memory');
/** Prints a line. The write is synchronous, because standard output is a pipe. */
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

/** One of 16 lanes: places order after order, and cancels the one four orders before, forever. */
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
