/**
 * The data folder of the restart benchmark: many markets, accounts and orders, most of which rest,
 * with a snapshot some commands before the end.
 */
import type { Command } from '../../engine/index.ts';
import { DataFolder } from '../../persistence/folder/index.ts';
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
  /** Orders that were cancelled again: two commands each. */
  readonly cancelledOrders: number;
  /** Commands after the snapshot. */
  readonly tailCommands: number;
}

const WRITER = new URL('../harness/folder-writer.ts', import.meta.url);
const PAPER_MICROS = 1_000_000_000_000;
const CENTS = 49;

function tokenOf(market: number, outcome: number): string {
  return String(market * 2 + outcome + 1_000_000);
}

/** A BUY of either outcome below the middle: it never trades. */
function restingOrder({ accounts, markets }: RestartFolder, order: number) {
  const account = order % accounts;
  // Each account is in many markets, and each market has many accounts.
  const market = (order * 7 + Math.floor(order / accounts)) % markets;
  return placeOrder({
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

function* commandsOf(input: RestartFolder): Generator<Command> {
  for (let market = 0; market < input.markets; market += 1) {
    const tokenIds = [tokenOf(market, 0), tokenOf(market, 1)] as const;
    const conditionId = word('market', market);
    yield createMarket({ conditionId, tokenIds, eventId: `event-${market}` });
  }
  for (let account = 0; account < input.accounts; account += 1) {
    yield openAccount(addressOf(account), PAPER_MICROS);
  }
  // In between, so that what rests is spread over the journal and over the store's records.
  let cancelled = 0;
  for (let order = 0; order < input.restingOrders; order += 1) {
    yield restingOrder(input, order);
    while (cancelled * input.restingOrders < order * input.cancelledOrders) {
      const place = restingOrder(input, input.restingOrders + cancelled);
      yield place;
      yield { kind: 'cancel_orders', owner: place.owner, orderIds: [place.orderId] };
      cancelled += 1;
    }
  }
}

export async function makeFolder(input: RestartFolder) {
  const folder = new DataFolder({ dataDir: input.dataDir, temporary: false });
  const writer = new FolderWriter(folder, input.restingOrders);
  const { markets, accounts, restingOrders, cancelledOrders } = input;
  const total = markets + accounts + restingOrders + 2 * cancelledOrders;
  // On the other processor, while the journal is written.
  const projected = callInProcess<typeof Writer, 'projectUntil'>(
    WRITER,
    'projectUntil',
    writer.projectorData,
    total,
  );
  const beganMs = Date.now() - total;
  let snapshot: ReturnType<FolderWriter['snapshot']> | undefined;
  for (const command of commandsOf(input)) {
    writer.apply(beganMs + writer.seq, command);
    if (writer.seq === total - input.tailCommands) snapshot = writer.snapshot();
  }
  writer.flush();
  if (writer.seq !== total || snapshot === undefined) {
    throw new Error(`${writer.seq} commands were accepted, not ${total}`);
  }
  await projected;
  writer.close();
  return {
    commands: writer.seq,
    snapshotSeq: snapshot.seq,
    snapshotBytes: snapshot.bytes,
    snapshotMs: snapshot.tookMs,
  };
}
