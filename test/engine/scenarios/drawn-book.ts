/**
 * An engine with a market whose book is drawn as text, with prices in YES ticks, and funded
 * accounts:
 *
 *     bid               | price | ask
 *                       | 5200  | bob 30, cat 10 NO
 *     ann 20, dan 5 NO  | 5000  |
 *
 * An entry is a label, the remaining lots, and NO for an order of that outcome: a NO among the bids
 * is a SELL, among the asks a BUY. Entries of a level stand in time priority.
 */
import { strict as assert } from 'node:assert';
import type {
  AccountState,
  Bounds,
  Command,
  CreateMarket,
  EngineEvent,
  RestingOrder,
  SelfTradeMode,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, isChange, lots, micros, ticks } from '../../../engine/index.ts';
import type { EngineFace, MakeEngine } from '../engines.ts';
import { outcomeName, placeOrder, readSentence, tell } from './language.ts';
import {
  addressOf,
  EVENT,
  FIRST_MARKET,
  labelOf,
  ownerOf,
  SECOND_MARKET,
  THIRD_MARKET,
  TOKENS,
} from './names.ts';

const CAST = ['ann', 'ann-safe', 'ann-proxy', 'bob', 'cat', 'dan', 'eve', 'zoe'];
/** The account that collects fees, which exists only if there are fees. */
const FEES = 'fees';
/** The tokens of each outcome of the first market that every account starts with. */
const TOKEN_LOTS = 10_000;
const CASH_MICROS = 1_000_000_000;

export interface DrawnOptions {
  readonly selfTrade?: SelfTradeMode;
  /** Terms of the markets that differ from MARKET. */
  readonly terms?: Partial<CreateMarket>;
  readonly bounds?: Partial<Bounds>;
  /** Whether there is a third market and all three belong to a neg-risk event. */
  readonly hasEvent?: boolean;
}

/** Amounts by asset: cash, or the name of a token. */
type Holding = ReadonlyMap<string, number>;

export class DrawnBook {
  readonly engine: EngineFace;
  readonly #before: ReadonlyMap<string, Holding>;
  #seq = 0;
  #timeMs = 0;

  constructor(make: MakeEngine, options: DrawnOptions = {}) {
    this.engine = make(options.bounds);
    const selfTrade = options.selfTrade ?? 'cancel_maker';
    const ofEvent = options.hasEvent === true ? { negRisk: true, eventId: EVENT } : {};
    const markets = [FIRST_MARKET, SECOND_MARKET];
    for (const market of options.hasEvent === true ? [...markets, THIRD_MARKET] : markets) {
      this.apply({ ...MARKET, ...market, ...ofEvent, selfTrade, ...options.terms });
    }
    for (const account of [...CAST, 'house']) this.#open(account);
    for (const account of CAST) this.#mint(account);
    this.#before = this.#holdings();
  }

  get seq(): number {
    return this.#seq;
  }

  /** Applies a command as the sequencer would, and validates the engine. */
  apply(command: Command, timeMs = 0): EngineEvent[] {
    this.#timeMs = Math.max(this.#timeMs, timeMs);
    const events = this.engine.apply(this.#seq + 1, this.#timeMs, this.engine.inputOf(command));
    if (events.some(isChange)) this.#seq += 1;
    this.engine.validate();
    return events;
  }

  /** Applies the command of a sentence and returns the events as sentences. */
  say(sentence: string): string[] {
    const { timeMs, command } = readSentence(sentence);
    return this.apply(command, timeMs).map(tell);
  }

  /** Places the orders of a drawing, row by row from the top. */
  draw(drawing: string): void {
    for (const [bids, price, asks] of rowsOf(drawing)) {
      for (const entry of entriesOf(bids)) this.#rest(entry, 'bid', Number(price));
      for (const entry of entriesOf(asks)) this.#rest(entry, 'ask', Number(price));
    }
  }

  /** The present book of the first market, in the form of `tidyDrawing`. */
  drawing(): string[] {
    const [market] = [...this.engine.state().markets];
    assert(market !== undefined);
    const prices = [...market.bids, ...market.asks].map(yesTicks);
    const rows = [...new Set(prices)].sort((a, b) => b - a);
    const entries = (orders: readonly RestingOrder[], price: number): string =>
      orders
        .filter((order) => yesTicks(order) === price)
        .map(({ orderId, remainingLots, outcome }) => {
          const suffix = outcome === 1 ? ' NO' : '';
          return `${labelOf(orderId)} ${remainingLots}${suffix}`;
        })
        .join(', ');
    return rows.map((price) =>
      [entries(market.bids, price), price, entries(market.asks, price)].join(' | '),
    );
  }

  /** The gains and losses of all accounts since the start, and the collected fees. */
  moved(): string[] {
    const now = this.#holdings();
    return [...CAST, FEES].flatMap((account) => {
      const texts = ['cash', ...Object.keys(TOKENS)].flatMap((asset) => {
        const before = this.#before.get(account)?.get(asset) ?? 0;
        const difference = (now.get(account)?.get(asset) ?? 0) - before;
        return difference === 0 ? [] : [`${difference > 0 ? '+' : ''}${difference} ${asset}`];
      });
      return texts.length === 0 ? [] : [`${account}: ${texts.join(', ')}`];
    });
  }

  /** An account's cash in micros. */
  cashOf(account: string): { available: number; held: number } {
    const { availableMicros: available, heldMicros: held } = this.#account(account);
    return { available, held };
  }

  #account(name: string): AccountState {
    const found = this.#findAccount(name);
    assert(found !== undefined);
    return found;
  }

  #findAccount(name: string): AccountState | undefined {
    const address = name === FEES ? FEE_ACCOUNT : addressOf(name);
    return [...this.engine.state().accounts].find((account) => account.address === address);
  }

  #holdings(): Map<string, Holding> {
    const markets = [...this.engine.state().markets];
    const tokenOf = (wanted: string, outcome: 0 | 1): string | undefined => {
      const market = markets.find(({ conditionId }) => conditionId === wanted);
      return Object.keys(TOKENS).find((name) => TOKENS[name] === market?.tokenIds[outcome]);
    };
    const holding = (account: AccountState): Holding => {
      const tokens = account.positions.map(
        ({ conditionId, outcome, availableLots, heldLots }) =>
          [tokenOf(conditionId, outcome) ?? '', availableLots + heldLots] as const,
      );
      return new Map([['cash', account.availableMicros + account.heldMicros], ...tokens]);
    };
    const fees = this.#findAccount(FEES);
    const ofCast = CAST.map((name) => [name, holding(this.#account(name))] as const);
    return new Map([...ofCast, [FEES, fees === undefined ? new Map() : holding(fees)]]);
  }

  #open(account: string): void {
    this.apply({
      kind: 'open_account',
      address: addressOf(account),
      owner: addressOf(ownerOf(account)),
      wallet: ownerOf(account) === account ? 'eoa' : 'safe',
      paperMicros: micros(account === 'house' ? 100 * CASH_MICROS : CASH_MICROS),
    });
  }

  /** Mints tokens of both outcomes for an account, in trades with the house. */
  #mint(account: string): void {
    for (const [tokenId, other] of [FIRST_MARKET.tokenIds, [...FIRST_MARKET.tokenIds].reverse()]) {
      const size = { lots: lots(TOKEN_LOTS), priceTicks: ticks(5_000) };
      const number = `900${tokenId}`;
      this.apply(placeOrder(`${account}${number}`, { ...size, tokenId: tokenId ?? '' }));
      const orderId = placeOrder(`house-for-${account}${number}`, {}).orderId;
      this.apply(placeOrder('house', { ...size, orderId, tokenId: other ?? '' }));
    }
  }

  #rest(entry: string, side: 'bid' | 'ask', price: number): void {
    const [label, size, outcome] = entry.split(' ');
    assert(label !== undefined);
    const isNo = outcome === 'NO';
    const order = placeOrder(label, {
      side: (side === 'bid') === isNo ? 'SELL' : 'BUY',
      tokenId: FIRST_MARKET.tokenIds[isNo ? 1 : 0],
      priceTicks: ticks(isNo ? 10_000 - price : price),
      lots: lots(Number(size)),
    });
    const events = this.apply(order);
    assert.equal(
      events.length,
      2,
      `${entry} ${outcomeName(isNo ? 1 : 0)} rests: ${events.map(tell)}`,
    );
  }
}

/** The terms of all markets, without their ids. */
export const MARKET: CreateMarket = {
  kind: 'create_market',
  conditionId: '',
  tokenIds: ['', ''],
  tickTicks: ticks(100),
  minimumLots: lots(1),
  minimumBudgetMicros: micros(1),
  negRisk: false,
  eventId: '',
  selfTrade: 'cancel_maker',
};

function yesTicks({ outcome, priceTicks }: RestingOrder): number {
  return outcome === 0 ? priceTicks : 10_000 - priceTicks;
}

function entriesOf(cell: string): string[] {
  return cell === '' ? [] : cell.split(', ');
}

/** The rows of a drawing without its heading: bids, price, asks. */
function rowsOf(drawing: string): [string, string, string][] {
  return drawing
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 3 && cells[1] !== 'price')
    .map(([bids = '', price = '', asks = '']) => [bids, price, asks]);
}

/** A drawing without its heading and padding, for comparison. */
export function tidyDrawing(drawing: string): string[] {
  return rowsOf(drawing).map((cells) => cells.join(' | '));
}
