/**
 * A data folder with records of every kind: ended markets and an open one, live, matched and closed
 * orders, fills, keys, actions of the operator, notifications.
 */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Command, lots, micros, ticks } from '../../engine/index.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { masterSecret, secretText } from '../../persistence/folder/secrets.ts';
import { batchScopeOf, type Scope, temporaryFolder } from '../temporary-folder.ts';
import { makeClosedFolder } from './journal/fixture.ts';
import {
  ALICE,
  BOB,
  counterOrder,
  createMarket,
  openAccount,
  openFollowed,
  order,
  submitAll,
  until,
} from './store-fixture.ts';

export function conditionOf(number: number): string {
  return `0x${`c${number}`.repeat(32)}`;
}

function marketOf(number: number): Command {
  return Object.assign({}, createMarket, {
    conditionId: conditionOf(number),
    tokenIds: [`${number}1`, `${number}2`] as [string, string],
  });
}

/** Markets 1 to 3 end, in this order. */
const MARKETS = [1, 2, 3, 4].map(marketOf);

const ENDS: readonly Command[] = [
  { kind: 'close_market', conditionId: conditionOf(1) },
  {
    kind: 'resolve_market',
    conditionId: conditionOf(2),
    payoutTicks: ticks(10_000),
    redeemAll: false,
  },
  { kind: 'close_market', conditionId: conditionOf(3) },
];

const KEY: Command = {
  kind: 'issue_api_key',
  owner: ALICE,
  nonce: '0',
  apiKey: '00000000-0000-4000-8000-000000000001',
  purpose: 'trading',
};

/** The evidence of the operator's deposit. */
const EVIDENCE = { by: 'somebody', reason: 'to try' };
const DEPOSIT: Command = {
  kind: 'deposit',
  account: ALICE,
  amountMicros: micros(5_000_000),
  key: 'one',
};

/** Moves tokens without a trade. */
const SPLIT: Command = {
  kind: 'split',
  account: ALICE,
  owner: ALICE,
  conditionId: conditionOf(4),
  lots: lots(50),
  key: 'two',
};

/** Alice buys YES and Bob NO, in market 2, which is resolved, and in market 4, which stays open. */
function trades(first: number): readonly Command[] {
  return ['21', '41'].flatMap((tokenId, index) => {
    const number = first + 10 * index;
    const other = `${tokenId.slice(0, 1)}2`;
    return [
      order(number, { tokenId }),
      counterOrder(number + 1, { tokenId: other, lots: order(1).lots }),
      order(number + 2, { tokenId, priceTicks: ticks(4_000) }),
    ];
  });
}

/** Makes the folder. Its markets exist before the start, which adds them to the catalog. */
async function makeKeptFolder(scope: Scope): Promise<string> {
  const begun = [...MARKETS, openAccount(ALICE), openAccount(BOB), KEY];
  const dataDir = makeClosedFolder(scope, begun, { timeMs: Date.now(), snapshots: [begun.length] });
  const folder = new DataFolder({ dataDir, temporary: false });
  masterSecret(folder, false);
  secretText(folder, 'admin.token', () => randomBytes(8).toString('hex'));
  folder.release();
  const exchange = await openFollowed(scope, dataDir);
  await submitAll(exchange, trades(100));
  await exchange.submit(DEPOSIT, EVIDENCE);
  await submitAll(exchange, ENDS);
  await submitAll(exchange, trades(200).slice(3));
  await exchange.submit(SPLIT);
  // A stop does not wait for the projector.
  await until(() => exchange.projectedSeq === exchange.appliedSeq);
  await exchange.close();
  return dataDir;
}

let kept: Promise<string> | undefined;

/** One folder for all tests of this process. They change only copies of it. */
export function keptFolder(): Promise<string> {
  kept ??= makeKeptFolder(batchScopeOf(t));
  return kept;
}

/** A copy of a folder, which a test may alter. */
export function copyFolder(scope: Scope, folder: string): string {
  const copy = join(temporaryFolder(scope), 'data');
  cpSync(folder, copy, { recursive: true });
  return copy;
}
