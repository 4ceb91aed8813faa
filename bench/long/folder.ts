/**
 * The data folders of the long benchmark. Each situation is in them twice, so that its second time
 * shows what remains when V8 has compiled the code.
 */

import { DEV_KEYS } from '../../cli/options/dev-keys.ts';
import { type Command, lots, type PlaceOrder, ticks } from '../../engine/index.ts';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { addressOf, createMarket, openAccount, placeOrder, word } from '../harness/commands.ts';
import type * as Writer from '../harness/folder-writer.ts';
import { FolderWriter } from '../harness/folder-writer.ts';
import { callInProcess } from '../harness/process.ts';

/** How much of everything there is. */
export interface LongSizes {
  readonly accounts: number;
  /** Resting orders that one order fills. */
  readonly makers: number;
  readonly delayed: number;
  readonly expiring: number;
  /** Orders of the market that closes. */
  readonly ofMarket: number;
  readonly ofOwner: number;
  /** Accounts with tokens of the market that resolves. */
  readonly holders: number;
  readonly eventMarkets: number;
}

export const TIMES = [0, 1] as const;
export type Time = (typeof TIMES)[number];

const WRITER = new URL('../harness/folder-writer.ts', import.meta.url);
const PAPER_MICROS = 1_000_000_000;
const RICH_MICROS = 1_000_000_000_000;
const FEES = { takerFeeBps: 700, makerFeeBps: 100, feeExponent: 1 } as const;
/** Orders and holders of each market of an event. */
const EVENT_ORDERS = 40;
const EVENT_HOLDERS = 20;
/** The price levels of resting orders. */
const LEVELS = 30;
/** Accounts of delayed orders: so many that each has fewer than 20, and counts as quiet. */
const DELAYED_ACCOUNTS = 1_200;
/** A market delays for 60 s at most. The program has to be ready before the first delay ends. */
const DELAYS_MS = [25_000, 60_000] as const;
/** When orders expire, after the folder is made. */
const EXPIRY_MS = [3_600_000, 7_200_000] as const;

/** The two dev accounts that play a part, one each time. */
export const ROLES = { taker: 0, canceller: 2, reader: 4, quietReader: 6 } as const;
const DEV_OWNERS = DEV_KEYS.slice(0, 8).map((key) => walletOf(key).address.toLowerCase());

export function devOwner(role: keyof typeof ROLES, time: Time): string {
  return DEV_OWNERS[ROLES[role] + time]!;
}

export function bannedOwner(time: Time): string {
  return word('banned', time).slice(0, 42);
}

/** A market by its part in the benchmark. */
export function marketOf(part: string, time: number) {
  const [yes, no] = [word(part, time, 'yes'), word(part, time, 'no')];
  const tokenIds = [BigInt(yes).toString(), BigInt(no).toString()] as const;
  return { conditionId: word(part, time), tokenIds };
}

function restingOrder(number: string, account: string, part: string, time: number): PlaceOrder {
  const step = Number.parseInt(word(number).slice(2, 10), 16) % LEVELS;
  return placeOrder({
    orderId: word('order', part, time, number),
    account,
    tokenId: marketOf(part, time).tokenIds[0],
    side: 'BUY',
    type: 'GTC',
    priceTicks: (10 + step) * 100,
    lots: 10,
    apiKey: '',
  });
}

function split(account: string, part: string, time: number, many: number): Command {
  const { conditionId } = marketOf(part, time);
  const key = `${part}-${time}`;
  // The key is new, so the journal's index does not have it.
  const lookup = { keyCheckedSeq: Number.MAX_SAFE_INTEGER };
  return { kind: 'split', account, owner: account, conditionId, lots: lots(many), key, ...lookup };
}

/** An owner with two accounts and orders of both. */
function* busyOwner(owner: string, orders: number): Generator<Command> {
  const second = word('second account', owner).slice(0, 42);
  yield openAccount(owner, RICH_MICROS);
  yield { ...openAccount(second, RICH_MICROS), owner, wallet: 'safe' };
  for (let number = 0; number < orders; number += 1) {
    const account = number % 2 === 0 ? owner : second;
    yield { ...restingOrder(`${owner} ${number}`, account, 'wide', number % 50), owner };
  }
}

function* marketsOf({ eventMarkets }: LongSizes): Generator<Command> {
  for (let number = 0; number < 50; number += 1) yield createMarket(marketOf('wide', number));
  for (const time of TIMES) {
    for (const part of ['fill', 'close', 'expire', 'redeem']) {
      yield createMarket(marketOf(part, time));
    }
    yield createMarket({ ...marketOf('fees', time), ...FEES });
    const eventId = eventIdOf(time);
    for (let market = 0; market < eventMarkets; market += 1) {
      yield createMarket({ ...marketOf(eventId, market), eventId, negRisk: true });
    }
    yield { kind: 'open_event', eventId, noneConditionId: '' };
  }
}

export function eventIdOf(time: Time): string {
  return `long-${time}`;
}

function* ordersOf(sizes: LongSizes, time: Time, beganMs: number): Generator<Command> {
  const { accounts, makers, ofMarket, expiring, holders, eventMarkets } = sizes;
  const account = (number: number): string => addressOf(number % accounts);
  for (const part of ['fill', 'fees']) {
    yield split(devOwner('taker', time), part, time, makers * 10);
    for (let number = 0; number < makers; number += 1) {
      yield restingOrder(String(number), account(number), part, time);
    }
  }
  for (let number = 0; number < ofMarket; number += 1) {
    yield restingOrder(String(number), account(number), 'close', time);
  }
  const expiresAtMs = beganMs + EXPIRY_MS[time];
  for (let number = 0; number < expiring; number += 1) {
    const order = restingOrder(String(number), account(number), 'expire', time);
    yield { ...order, type: 'GTD', expiresAtMs };
  }
  for (let number = 0; number < holders; number += 1)
    yield split(account(number), 'redeem', time, 1);
  const eventId = eventIdOf(time);
  for (let number = 0; number < eventMarkets * EVENT_ORDERS; number += 1) {
    const market = number % eventMarkets;
    yield restingOrder(String(number), account(number), eventId, market);
  }
  for (let number = 0; number < eventMarkets * EVENT_HOLDERS; number += 1) {
    yield split(account(number), eventId, number % eventMarkets, 1);
  }
}

function* commandsOf(sizes: LongSizes, beganMs: number): Generator<Command> {
  yield* marketsOf(sizes);
  for (let account = 0; account < sizes.accounts; account += 1) {
    yield openAccount(addressOf(account), PAPER_MICROS);
  }
  for (const time of TIMES) {
    yield openAccount(devOwner('taker', time), RICH_MICROS);
    yield* busyOwner(devOwner('canceller', time), sizes.ofOwner);
    yield* busyOwner(devOwner('reader', time), sizes.ofOwner);
    yield* busyOwner(devOwner('quietReader', time), 4);
    yield* busyOwner(bannedOwner(time), sizes.ofOwner);
    yield* ordersOf(sizes, time, beganMs);
  }
}

/** Orders that a market delays, each of which fills one resting order when its delay ends. */
function* delayedCommands({ delayed }: LongSizes): Generator<Command> {
  for (let account = 0; account < DELAYED_ACCOUNTS; account += 1) {
    yield openAccount(addressOf(account), RICH_MICROS);
  }
  for (const time of TIMES) {
    const market = marketOf('delayed', time);
    yield createMarket({ ...market, takerDelayMs: DELAYS_MS[time] });
    for (let number = 0; number < delayed; number += 1) {
      yield restingOrder(`rests ${number}`, addressOf(number % DELAYED_ACCOUNTS), 'delayed', time);
    }
    for (let number = 0; number < delayed; number += 1) {
      // Another account than the one whose order rests: orders of one owner do not trade.
      const account = addressOf((number + 1) % DELAYED_ACCOUNTS);
      const order = restingOrder(`takes ${number}`, account, 'delayed', time);
      yield { ...order, tokenId: market.tokenIds[1], priceTicks: ticks(9_900) };
    }
  }
}

function write(dataDir: string, commands: Iterable<Command>, timeMs: number): FolderWriter {
  const writer = new FolderWriter(new DataFolder({ dataDir, temporary: false }));
  for (const command of commands) {
    const [refused] = writer.apply(timeMs, command).filter(({ kind }) => kind === 'rejected');
    if (refused !== undefined) throw new Error(`refused: ${JSON.stringify([refused, command])}`);
  }
  return writer;
}

/** Makes the folder of all situations but the releases. Returns when its orders expire. */
export async function makeFolder(dataDir: string, sizes: LongSizes) {
  const beganMs = Date.now();
  const writer = write(dataDir, commandsOf(sizes, beganMs), beganMs);
  writer.snapshot();
  const { seq, projectorData } = writer;
  await callInProcess<typeof Writer, 'projectUntil'>(WRITER, 'projectUntil', projectorData, seq);
  writer.close();
  return { commands: seq, dueMs: EXPIRY_MS.map((ms) => beganMs + ms) };
}

/** Makes the folder of the releases. Returns when they are due. */
export function makeDelayedFolder(dataDir: string, sizes: LongSizes) {
  const beganMs = Date.now();
  const writer = write(dataDir, delayedCommands(sizes), beganMs);
  const { seq } = writer;
  writer.close();
  return { commands: seq, dueMs: DELAYS_MS.map((ms) => beganMs + ms) };
}
