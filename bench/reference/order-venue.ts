/**
 * The state of the reference in memory: accounts with their balances, the books, and the live
 * orders. Everything is checked before anything changes.
 */
import type { LoadMarket } from '../harness/exchange.ts';
import { Book, type BookOrder, ONE_TICKS } from './order-book.ts';
import { type ReferenceTerms, Refusal } from './order-terms.ts';

/** An order to buy, good until cancelled. */
export interface NewOrder {
  readonly id: string;
  /** Lower case. */
  readonly owner: string;
  readonly tokenId: string;
  readonly priceTicks: number;
  readonly lots: number;
}

export interface Trade {
  readonly makerId: string;
  readonly lots: number;
  /** In the taker's outcome. */
  readonly priceTicks: number;
}

export interface Placed {
  readonly trades: readonly Trade[];
  readonly status: 'live' | 'matched';
}

interface Token {
  readonly tokenId: string;
  readonly market: LoadMarket;
  readonly outcome: 0 | 1;
  readonly book: Book;
}

interface Live {
  readonly order: BookOrder;
  readonly token: Token;
}

interface Account {
  /** Without the cash that live orders hold. */
  cashMicros: number;
  readonly lots: Map<string, number>;
}

export class Venue {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #tokens = new Map<string, Token>();
  readonly #live = new Map<string, Live>();

  constructor({ accounts, markets, cashMicros }: ReferenceTerms) {
    this.#accounts = new Map(
      accounts.map(({ address }) => [address.toLowerCase(), { cashMicros, lots: new Map() }]),
    );
    for (const market of markets) {
      const book = new Book();
      for (const outcome of [0, 1] as const) {
        const tokenId = market.tokenIds[outcome];
        this.#tokens.set(tokenId, { tokenId, market, outcome, book });
      }
    }
  }

  token(tokenId: string): Token {
    const token = this.#tokens.get(tokenId);
    if (token === undefined) throw new Refusal(404, `No market has the token ${tokenId}`);
    return token;
  }

  /** Checks, matches and rests an order. Throws `Refusal` before anything changes. */
  place({ id, owner, tokenId, priceTicks, lots }: NewOrder): Placed {
    const token = this.token(tokenId);
    const account = this.#accountOf(owner);
    const order: BookOrder = { id, owner, outcome: token.outcome, priceTicks, lots };
    checkGrid(order, token.market);
    const { cashMicros } = account;
    const neededMicros = lots * priceTicks;
    if (cashMicros < neededMicros) {
      throw new Refusal(400, `Not enough balance: ${cashMicros}, needed ${neededMicros}`);
    }
    account.cashMicros -= neededMicros;
    const trades = this.#match({ order, token });
    if (order.lots === 0) return { trades, status: 'matched' };
    token.book.add(order);
    this.#live.set(id, { order, token });
    return { trades, status: 'live' };
  }

  /** Returns false if the owner has no live order with this id. */
  cancel(id: string, owner: string): boolean {
    const live = this.#live.get(id);
    if (live?.order.owner !== owner) return false;
    this.#close(live);
    return true;
  }

  #match(taker: Live): Trade[] {
    const { order, token } = taker;
    const trades: Trade[] = [];
    while (order.lots > 0) {
      const found = token.book.first(order);
      const maker = found && this.#live.get(found.id);
      if (maker === undefined) break;
      // Self-trade prevention as on the exchange: the resting order is cancelled.
      if (maker.order.owner === order.owner) this.#close(maker);
      else trades.push(this.#meet(taker, maker));
    }
    return trades;
  }

  /** Trades at the maker's price. */
  #meet(taker: Live, maker: Live): Trade {
    const lots = Math.min(taker.order.lots, maker.order.lots);
    const priceTicks = ONE_TICKS - maker.order.priceTicks;
    this.#settle(taker, lots, priceTicks);
    this.#settle(maker, lots, maker.order.priceTicks);
    if (maker.order.lots === 0) {
      maker.token.book.remove(maker.order);
      this.#live.delete(maker.order.id);
    }
    return { makerId: maker.order.id, lots, priceTicks };
  }

  /** Turns cash that an order holds into tokens. What a better price saves is available again. */
  #settle({ order, token: { tokenId } }: Live, lots: number, priceTicks: number): void {
    const account = this.#accountOf(order.owner);
    order.lots -= lots;
    account.cashMicros += lots * (order.priceTicks - priceTicks);
    account.lots.set(tokenId, (account.lots.get(tokenId) ?? 0) + lots);
  }

  #close({ order, token }: Live): void {
    token.book.remove(order);
    this.#live.delete(order.id);
    this.#accountOf(order.owner).cashMicros += order.lots * order.priceTicks;
  }

  #accountOf(owner: string): Account {
    const account = this.#accounts.get(owner);
    if (account === undefined) throw new Refusal(400, `${owner} has no account`);
    return account;
  }
}

function checkGrid({ priceTicks, lots }: BookOrder, { stepTicks }: LoadMarket): void {
  const price = priceTicks / ONE_TICKS;
  const most = ONE_TICKS - stepTicks;
  if (!Number.isInteger(priceTicks) || priceTicks < stepTicks || priceTicks > most) {
    throw new Refusal(400, `The price ${price} is not between 0 and 1`);
  }
  if (priceTicks % stepTicks !== 0) {
    throw new Refusal(400, `The price ${price} breaks the step ${stepTicks / ONE_TICKS}`);
  }
  if (!Number.isInteger(lots) || lots < 1) throw new Refusal(400, 'The size is off the grid');
}
