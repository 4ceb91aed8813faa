/**
 * The data folder of the restart benchmark: many markets, accounts and resting orders, with a
 * snapshot some commands before the end.
 */
import type { Command } from '../../engine/index.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import {
  addressOf,
  apiKeyOf,
  createMarket,
  openAccount,
  placeOrder,
  word,
} from '../harness/commands.ts';
import type * as Writer from '../harness/folder-writer.ts';
import { FolderWriter } from '../harness/folder-writer.ts';
import { callInProcess } from '../harness/process.ts';

export interface RestartFolder {
  readonly dataDir: string;
  readonly markets: number;
  readonly accounts: number;
  readonly restingOrders: number;
  /** Commands after the snapshot. */
  readonly tailCommands: number;
}

const WRITER = new URL('../harness/folder-writer.ts', import.meta.url);
const PAPER_MICROS = 1_000_000_000_000;
const CENTS = 49;

function tokenOf(market: number, outcome: number): string {
  return String(market * 2 + outcome + 1_000_000);
}

/** Every order buys an outcome below the middle, so it never trades. */
function* commandsOf({ markets, accounts, restingOrders }: RestartFolder): Generator<Command> {
  for (let market = 0; market < markets; market += 1) {
    const tokenIds = [tokenOf(market, 0), tokenOf(market, 1)] as const;
    const conditionId = word('market', market);
    yield createMarket({ conditionId, tokenIds, eventId: `event-${market}` });
  }
  for (let account = 0; account < accounts; account += 1) {
    yield openAccount(addressOf(account), PAPER_MICROS);
  }
  for (let order = 0; order < restingOrders; order += 1) {
    const account = order % accounts;
    // Each account is in many markets, and each market has many accounts.
    const market = (order * 7 + Math.floor(order / accounts)) % markets;
    yield placeOrder({
      orderId: word('order', order),
      account: addressOf(account),
      tokenId: tokenOf(market, order % 2),
      side: 'BUY',
      type: 'GTC',
      priceTicks: (1 + ((order * 31) % CENTS)) * 100,
      lots: 100 + (order % 900),
      apiKey: apiKeyOf(account),
    });
  }
}

export async function makeFolder(input: RestartFolder) {
  const folder = new DataFolder({ dataDir: input.dataDir, temporary: false });
  const writer = new FolderWriter(folder, input.restingOrders);
  const total = input.markets + input.accounts + input.restingOrders;
  // Another process projects the journal while this one writes it.
  const projected = callInProcess<typeof Writer, 'projectUntil'>(
    WRITER,
    'projectUntil',
    writer.projectorData,
    total,
  );
  const beganMs = Date.now() - total;
  let snapshotBytes = 0;
  for (const command of commandsOf(input)) {
    writer.apply(beganMs + writer.seq, command);
    if (writer.seq === total - input.tailCommands) snapshotBytes = writer.snapshot().bytes;
  }
  writer.flush();
  if (writer.seq !== total) throw new Error(`${writer.seq} commands were accepted, not ${total}`);
  await projected;
  writer.close();
  return { commands: total, snapshotBytes };
}
