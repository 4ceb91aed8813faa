/**
 * A seeded stream of random commands: valid ones, repeated ones and faulty ones. It has its own
 * random numbers, clock and memory of sent commands, and sees the exchange through events alone.
 * The other files of the folder draw the commands by subject; `scene.ts` says how many owners and
 * markets there are, `twins.ts` compares two engines, `run.ts` runs the real one alone. Bound: it
 * remembers 300 orders and 100 other commands.
 */
import type {
  ArmSwitch,
  Bounds,
  CancelAll,
  CancelOrders,
  Command,
  Deposit,
  DismissNotifications,
  IssueApiKey,
  KeyLookup,
  KeyPurpose,
  OpenAccount,
  PlaceOrder,
  RevokeApiKey,
  TripSwitch,
  Withdraw,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, micros, ticks } from '../../../engine/index.ts';
import { Random } from '../../../http/codec/random.ts';
import type { EventObserver } from './event-observer.ts';
import {
  spoilAccount,
  spoilApiKey,
  spoilArming,
  spoilDismissal,
  spoilMoney,
  spoilOrder,
} from './faults.ts';
import { RandomMarkets } from './markets.ts';
import { randomConversion, randomOpening, randomWinner } from './neg-risk.ts';
import type { LifeScene } from './operator.ts';
import {
  randomBuilder,
  randomChange,
  randomClosing,
  randomRelief,
  randomResolution,
  randomStanding,
  randomTradingState,
} from './operator.ts';
import type { Mood } from './orders.ts';
import { randomMood, randomOrder } from './orders.ts';
import type { RandomScene } from './scene.ts';
import { FEW } from './scene.ts';
import { randomRedemption, randomSets } from './sets.ts';

const REMEMBERED_ORDERS = 300;
const REMEMBERED_OTHERS = 100;
const MOOD_COMMANDS = 400;
const PURPOSES: readonly KeyPurpose[] = ['trading', 'readonly', 'builder'];

/** The seq before the first command: 0, or beyond 2^32. */
export function firstSeq(seed: number): number {
  return seed % 2 === 0 ? 0 : 5_000_000_000;
}

type Draw = (commands: RandomCommands) => Command;

export interface TimedCommand {
  readonly timeMs: number;
  readonly command: Command;
}

export class RandomCommands {
  readonly #random: Random;
  readonly #seen: EventObserver;
  readonly #bounds: Bounds;
  readonly #scale: number;
  readonly #owners: readonly string[];
  readonly #size: RandomScene;
  readonly #markets: RandomMarkets;
  readonly #orders: PlaceOrder[] = [];
  readonly #others: Command[] = [];
  #draws: readonly Draw[] = [];
  #mood: Mood;
  #faultPercent = 0;
  #stepMs = 0;
  #timeMs = 1_700_000_000_000;
  #count = 0;
  #lastSeq = 0;

  constructor(seed: number, bounds: Bounds, seen: EventObserver, size = FEW) {
    this.#random = new Random(seed);
    this.#seen = seen;
    this.#bounds = bounds;
    this.#size = size;
    this.#scale = size.scale(bounds);
    this.#owners = Array.from({ length: size.owners }, () => `0x${this.#random.hex(40)}`);
    this.#markets = new RandomMarkets(this.#random, seen, size);
    this.#mood = randomMood(this.#random);
  }

  /** The next command; `lastSeq` is the seq of the last change. */
  next(lastSeq: number): TimedCommand {
    if (this.#count % MOOD_COMMANDS === 0) this.#changeMood();
    this.#count += 1;
    this.#lastSeq = lastSeq;
    this.#timeMs += this.#random.below(this.#stepMs + 1);
    const command = this.#draw();
    this.#remember(command);
    return { timeMs: this.#timeMs, command: 'key' in command ? this.#lookUp(command) : command };
  }

  /** A command as it is after its key was looked up in the index, as it mostly is. */
  #lookUp<Keyed extends KeyLookup & { readonly key: string }>(command: Keyed): Keyed {
    const { keyCheckedSeq: _, keyRecord: __, ...bare } = command;
    // Safe: both fields are optional.
    if (this.#random.chance(10)) return bare as Keyed;
    const owner = 'owner' in command ? command.owner : '';
    const keyRecord = this.#seen.indexedKeys.get(`${owner} ${command.key}`);
    const keyCheckedSeq = this.#lastSeq;
    return { ...command, keyCheckedSeq, ...(keyRecord === undefined ? {} : { keyRecord }) };
  }

  #draw(): Command {
    const { markets, accounts } = this.#seen;
    const { leastMarkets, leastAccounts, peopleFirst } = this.#size;
    const areFew = accounts.size < leastAccounts;
    if (areFew && peopleFirst) return this.#openAccount();
    if (markets.size < leastMarkets) return this.#createMarket();
    if (areFew) return this.#openAccount();
    const relief = this.#random.chance(8) ? randomRelief(this.#scene()) : undefined;
    if (relief !== undefined) return relief;
    return this.#random.pick(this.#draws)(this);
  }

  #changeMood(): void {
    const random = this.#random;
    this.#mood = randomMood(random);
    this.#markets.changeFocus();
    this.#faultPercent = random.pick([1, 10, 30]);
    this.#stepMs = random.pick([0, 2, 10, 300]);
    const times = (count: number, draw: Draw): Draw[] => Array.from({ length: count }, () => draw);
    const { turnover } = this.#size;
    this.#draws = [
      ...times(200, (commands) => commands.#order()),
      ...times(random.between(1, 20), (commands) => commands.#retry()),
      ...times(random.pick([1, 10, 30, 80]), (commands) => commands.#cancelOrders()),
      ...times(random.pick([0, 0, 1, 3]), (commands) => commands.#cancelAll()),
      ...times(turnover * random.between(1, 6), (commands) => commands.#money()),
      ...times(random.between(1, 4), (commands) => commands.#issueApiKey()),
      ...times(random.between(1, 2), (commands) => commands.#revokeApiKey()),
      ...times(random.pick([0, 1, 4]), (commands) => commands.#armSwitch()),
      ...times(random.pick([0, 1, 2]), (commands) => commands.#tripSwitch()),
      ...times(1, (commands) => commands.#dismiss()),
      ...times(random.pick([0, 1, 4]), (commands) => randomTradingState(commands.#scene())),
      ...times(turnover * random.between(2, 12), (commands) => randomSets(commands.#scene())),
      ...times(random.pick([0, 1, 3]), (commands) => randomChange(commands.#scene())),
      ...times(random.pick([1, 3, 6]), (commands) => randomBuilder(commands.#scene())),
      ...times(turnover * random.pick([0, 0, 0, 1]), (commands) =>
        randomClosing(commands.#scene()),
      ),
      ...times(turnover * random.pick([0, 0, 1]), (commands) =>
        randomResolution(commands.#scene()),
      ),
      ...times(turnover * random.pick([0, 1, 2]), (commands) => randomOpening(commands.#scene())),
      ...times(turnover * random.between(1, 6), (commands) => randomConversion(commands.#scene())),
      ...times(turnover * random.pick([0, 0, 1]), (commands) => randomWinner(commands.#scene())),
      ...times(turnover * random.pick([1, 2, 4]), (commands) =>
        randomRedemption(commands.#scene()),
      ),
      ...times(random.pick([0, 1, 3]), (commands) => randomStanding(commands.#scene())),
      ...times(random.between(1, 4), (commands) => commands.#openAccount()),
      ...times(turnover * random.between(1, 4), (commands) => commands.#createMarket()),
      ...times(turnover * random.between(1, 4), (commands) => commands.#again()),
      ...times(random.between(1, 4), () => ({ kind: 'advance_time' })),
    ];
  }

  #scene(): LifeScene {
    const owner = this.#random.pick(this.#owners);
    return {
      random: this.#random,
      seen: this.#seen,
      owner,
      markets: this.#markets.inPlay(),
      size: this.#size,
      isFaulty: this.#isFaulty(),
    };
  }

  #isFaulty(): boolean {
    return this.#random.chance(this.#faultPercent);
  }

  /** Remembers recent and old commands: a full memory forgets one at random. */
  #remember(command: Command): void {
    if (command.kind === 'place_order') {
      keep(this.#orders, command, REMEMBERED_ORDERS, this.#random);
    } else {
      keep(this.#others, command, REMEMBERED_OTHERS, this.#random);
    }
  }

  #order(): Command {
    const order = randomOrder({
      random: this.#random,
      seen: this.#seen,
      markets: this.#markets.inFocus(),
      size: this.#size,
      mood: this.#mood,
      scale: this.#scale,
      lastSeq: this.#lastSeq,
      timeMs: this.#timeMs,
    });
    if (order === undefined) return { kind: 'advance_time' };
    return this.#isFaulty() ? spoilOrder(this.#random, order) : order;
  }

  /** An earlier order again, the same or altered, with a new or an old check of its id. */
  #retry(): Command {
    const random = this.#random;
    if (this.#orders.length === 0) return this.#order();
    const resting = [...this.#seen.live.values()];
    const earlier =
      resting.length > 0 && random.chance(30)
        ? random.pick(resting).command
        : random.pick(random.chance(50) ? this.#orders.slice(-10) : this.#orders);
    const checked = [this.#lastSeq, this.#lastSeq, earlier.idCheckedSeq, 0];
    // A profile may have changed since: that is no other order.
    const again = { ...earlier, idCheckedSeq: random.pick(checked), earlyEndMs: 7 };
    if (random.chance(60)) return again;
    return random.pick<PlaceOrder>([
      { ...again, type: random.pick(['GTC', 'GTD', 'FOK', 'FAK']) },
      { ...again, postOnly: !again.postOnly },
      { ...again, expiresAtMs: again.expiresAtMs + 1 },
      { ...again, type: 'GTD', expiresAtMs: this.#timeMs + 5_000, postOnly: true },
      { ...again, priceTicks: ticks(10_000 - again.priceTicks) },
    ]);
  }

  #cancelOrders(): CancelOrders {
    const random = this.#random;
    const live = [...this.#seen.live.values()].map((order) => order.command);
    const owner = live.length > 0 ? random.pick(live).owner : random.pick(this.#owners);
    const own = live.filter((order) => order.owner === owner).map((order) => order.orderId);
    const most = this.#bounds.cancelsPerCommand;
    const count = random.chance(85) ? 1 : random.between(0, most + (this.#isFaulty() ? 3 : 0));
    const everything = [...live, ...this.#orders].map((order) => order.orderId);
    const orderIds = Array.from({ length: count }, () => {
      if (own.length > 0 && random.chance(85)) return random.pick(own);
      return everything.length > 0 && random.chance(80) ? random.pick(everything) : 'unknown';
    });
    return { kind: 'cancel_orders', owner, orderIds };
  }

  #cancelAll(): CancelAll {
    const random = this.#random;
    const market = random.pick(this.#markets.inPlay());
    const other = random.pick(this.#markets.inPlay());
    const isFaulty = this.#isFaulty();
    const conditionId = random.pick(['', market.conditionId, isFaulty ? 'unknown' : '']);
    const token = random.pick([...market.tokenIds, ...other.tokenIds]);
    const tokenId = random.pick(['', token, isFaulty ? '7' : '']);
    const owner = random.pick(this.#owners);
    return { kind: 'cancel_all', owner, conditionId, tokenId, step: this.#cancelStep() };
  }

  #money(): Deposit | Withdraw {
    const random = this.#random;
    const { able, cashKeys } = this.#size;
    const { accounts } = this.#seen;
    const takesFees = able > 0 && accounts.has(FEE_ACCOUNT) && random.chance(5);
    const money: Deposit | Withdraw = {
      kind: random.pick(['deposit', 'withdraw']),
      account: takesFees ? FEE_ACCOUNT : random.pick([...accounts.keys()]),
      amountMicros: micros(random.between(1, random.pick([1_000, 10_000_000 * this.#scale]))),
      key: `key-${random.below(cashKeys)}`,
    };
    return this.#isFaulty() ? spoilMoney(random, money) : money;
  }

  #issueApiKey(): IssueApiKey {
    const random = this.#random;
    const owner = random.below(this.#size.owners);
    const nonce = random.below(6);
    const purpose = random.pick(['trading', ...PURPOSES] as const);
    const shown = random.chance(80) ? nonce : random.below(6);
    const digits = `${owner}${shown}${PURPOSES.indexOf(purpose)}`;
    const issue: IssueApiKey = {
      kind: 'issue_api_key',
      owner: random.pick(this.#owners.slice(owner)),
      nonce: String(nonce),
      apiKey: uuid(digits),
      purpose,
    };
    return this.#isFaulty() ? spoilApiKey(random, issue) : issue;
  }

  #revokeApiKey(): RevokeApiKey {
    const random = this.#random;
    const keys = [...this.#seen.keys.values()];
    const stranger = { owner: random.pick(this.#owners), apiKey: uuid('9') };
    const { owner, apiKey } = keys.length > 0 ? random.pick(keys) : stranger;
    const revoke: RevokeApiKey = { kind: 'revoke_api_key', owner, apiKey };
    return this.#isFaulty() ? { ...revoke, owner: stranger.owner } : revoke;
  }

  #armSwitch(): ArmSwitch {
    const random = this.#random;
    const arm: ArmSwitch = {
      kind: 'arm_switch',
      owner: random.pick(this.#owners),
      heartbeatId: uuid(String(random.below(4))),
    };
    return this.#isFaulty() ? spoilArming(random, arm) : arm;
  }

  #tripSwitch(): TripSwitch {
    const random = this.#random;
    const [owner, heartbeatId] = random.pick([
      [random.pick(this.#owners), uuid('1')] as const,
      ...this.#seen.switches,
    ]);
    return { kind: 'trip_switch', owner, heartbeatId, most: this.#mostCanceled() };
  }

  #cancelStep(): CancelAll['step'] {
    const most = this.#mostCanceled();
    const ago = this.#random.pick([undefined, 0, 0, 20]);
    return ago === undefined ? { most } : { upToSeq: this.#lastSeq - ago, most };
  }

  /** How many orders one step cancels. */
  #mostCanceled(): number {
    const most = this.#bounds.cancelsPerCommand;
    if (this.#random.chance(40)) return most;
    return this.#isFaulty() ? this.#random.pick([0, most + 1]) : this.#random.between(1, most);
  }

  #dismiss(): DismissNotifications {
    const random = this.#random;
    const count = random.between(1, this.#bounds.dismissalsPerCommand);
    const dismissal: DismissNotifications = {
      kind: 'dismiss_notifications',
      owner: random.pick(this.#owners),
      ids: Array.from({ length: count }, () => random.below(1_000_000)),
    };
    return this.#isFaulty() ? spoilDismissal(random, dismissal) : dismissal;
  }

  /** Each owner has its own address and two wallets. */
  #openAccount(): OpenAccount {
    const random = this.#random;
    const index = random.below(this.#size.owners);
    const owner = random.pick(this.#owners.slice(index, index + 1));
    const number = random.below(3);
    const digits = `0x${index}${number}`;
    const account: OpenAccount = {
      kind: 'open_account',
      address: number === 0 ? owner : `${digits}${owner.slice(digits.length)}`,
      owner: number > 0 && random.chance(5) ? random.pick(this.#owners) : owner,
      wallet: number === 0 ? 'eoa' : random.pick(['proxy', 'safe', 'deposit']),
      paperMicros: micros(random.pick([0, 3, 100, 150]) * 1_000_000 * this.#scale),
      ...(random.chance(30) ? { byOperator: true } : {}),
    };
    return this.#isFaulty() ? spoilAccount(random, account) : account;
  }

  #createMarket(): Command {
    return this.#markets.create(() => this.#isFaulty());
  }

  /** An earlier command, not an order, sent again as it was. */
  #again(): Command {
    return this.#random.pick(this.#others);
  }
}

function uuid(digits: string): string {
  return `00000000-0000-4000-8000-${digits.padEnd(12, '0')}`;
}

function keep<T>(memory: T[], item: T, most: number, random: Random): void {
  if (memory.length >= most) memory.splice(random.below(memory.length), 1);
  memory.push(item);
}
