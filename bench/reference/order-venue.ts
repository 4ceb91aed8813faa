/**
 * The state of the reference in memory: accounts with their balances, the books, and the live
 * orders. Everything is checked before anything changes.
 */
import { Book, type BookOrder } from './order-book.ts';
import { type ReferenceMarket, type ReferenceTerms, Refusal } from './order-terms.ts';

export interface NewOrder {
  readonly id: string;
  /** Lower case. */
  readonly owner: string;
  readonly tokenId: string;
  readonly isBuy: boolean;
  readonly type: 'GTC' | 'FOK' | 'FAK';
  readonly postOnly: boolean;
  readonly priceTicks: number;
  readonly lots: number;
}

export interface Trade {
  readonly makerId: string;
  readonly lots: number;
  readonly priceTicks: number;
}

export interface Placed {
  readonly trades: readonly Trade[];
  readonly status: 'live' | 'matched' | 'unmatched';
}

export interface Token {
  readonly market: ReferenceMarket;
  readonly outcome: 0 | 1;
  readonly book: Book;
}

interface Live {
  readonly order: BookOrder;
  readonly tokenId: string;
}

/** Free balances: what live orders hold is already taken off. */
class Account {
  cashMicros: number;
  readonly lots = new Map<string, number>();

  constructor(cashMicros: number) {
    this.cashMicros = cashMicros;
  }

  lotsOf(tokenId: string): number {
    return this.lots.get(tokenId) ?? 0;
  }

  /** A BUY holds cash at its limit, a SELL its tokens. */
  hold({ isBuy, priceTicks }: BookOrder, tokenId: string, lots: number): void {
    if (isBuy) this.cashMicros -= lots * priceTicks;
    else this.lots.set(tokenId, this.lotsOf(tokenId) - lots);
  }

  /** Held lots traded, at the limit or at a better price. */
  settle({ isBuy, priceTicks }: BookOrder, tokenId: string, trade: Trade): void {
    if (!isBuy) this.cashMicros += trade.lots * trade.priceTicks;
    else {
      this.cashMicros += trade.lots * (priceTicks - trade.priceTicks);
      this.lots.set(tokenId, this.lotsOf(tokenId) + trade.lots);
    }
  }
}

export class Venue {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #tokens = new Map<string, Token>();
  readonly #live = new Map<string, Live>();

  constructor({ accounts, markets, cashMicros }: ReferenceTerms) {
    this.#accounts = new Map(
      accounts.map(({ address }) => [address.toLowerCase(), new Account(cashMicros)]),
    );
    for (const market of markets) {
      const book = new Book();
      const [yes, no] = market.tokenIds;
      this.#tokens.set(yes, { market, outcome: 0, book });
      this.#tokens.set(no, { market, outcome: 1, book });
    }
  }

  token(tokenId: string): Token {
    const token = this.#tokens.get(tokenId);
    if (token === undefined) throw new Refusal(404, `No market has the token ${tokenId}`);
    return token;
  }

  isLive(id: string): boolean {
    return this.#live.has(id);
  }

  /** Checks, matches and rests an order. Throws `Refusal` 400 before anything changes. */
  place(wanted: NewOrder): Placed {
    const { id, owner, tokenId, isBuy, priceTicks, lots } = wanted;
    const { market, outcome, book } = this.token(tokenId);
    const account = this.#accountOf(owner);
    const order: BookOrder = { id, owner, outcome, isBuy, priceTicks, lots };
    checkGrid(order, market);
    const free = isBuy ? account.cashMicros : account.lotsOf(tokenId);
    const needed = isBuy ? lots * priceTicks : lots;
    if (free < needed) throw new Refusal(400, `Not enough balance: ${free}, needed ${needed}`);
    if (wanted.postOnly && book.first(order) !== undefined) {
      throw new Refusal(400, 'The order is post-only and would trade at once');
    }
    if (wanted.type === 'FOK' && book.reachableLots(order) < lots) {
      throw new Refusal(400, 'The order could not be filled at once');
    }
    account.hold(order, tokenId, lots);
    const trades = this.#match(order, tokenId, account);
    if (order.lots === 0) return { trades, status: 'matched' };
    if (wanted.type === 'GTC') {
      book.add(order);
      this.#live.set(id, { order, tokenId });
      return { trades, status: 'live' };
    }
    account.hold(order, tokenId, -order.lots);
    return { trades, status: trades.length > 0 ? 'matched' : 'unmatched' };
  }

  /** Returns whether the owner had such a live order. */
  cancel(id: string, owner: string): boolean {
    const live = this.#live.get(id);
    if (live?.order.owner !== owner) return false;
    this.#close(live);
    return true;
  }

  #match(order: BookOrder, tokenId: string, account: Account): Trade[] {
    const { book } = this.token(tokenId);
    const trades: Trade[] = [];
    while (order.lots > 0) {
      const maker = book.first(order);
      const live = maker && this.#live.get(maker.id);
      if (live === undefined) break;
      // Self-trade prevention as on the exchange: the resting order is cancelled.
      if (live.order.owner === order.owner) this.#close(live);
      else trades.push(this.#meet(order, live, { tokenId, account }));
    }
    return trades;
  }

  #meet(
    order: BookOrder,
    { order: maker, tokenId: makerTokenId }: Live,
    taker: { readonly tokenId: string; readonly account: Account },
  ): Trade {
    const { book } = this.token(makerTokenId);
    const lots = Math.min(order.lots, maker.lots);
    const trade = { makerId: maker.id, lots, priceTicks: Book.priceFor(order, maker) };
    taker.account.settle(order, taker.tokenId, trade);
    const makerTrade = { ...trade, priceTicks: maker.priceTicks };
    this.#accountOf(maker.owner).settle(maker, makerTokenId, makerTrade);
    order.lots -= lots;
    maker.lots -= lots;
    if (maker.lots === 0) {
      book.remove(maker);
      this.#live.delete(maker.id);
    }
    return trade;
  }

  #close({ order, tokenId }: Live): void {
    this.token(tokenId).book.remove(order);
    this.#live.delete(order.id);
    this.#accountOf(order.owner).hold(order, tokenId, -order.lots);
  }

  #accountOf(owner: string): Account {
    const account = this.#accounts.get(owner);
    if (account === undefined) throw new Refusal(400, `${owner} has no account`);
    return account;
  }
}

function checkGrid({ priceTicks, lots }: BookOrder, { stepTicks }: ReferenceMarket): void {
  if (!Number.isInteger(priceTicks) || priceTicks < stepTicks || priceTicks > 10_000 - stepTicks) {
    throw new Refusal(400, `The price ${priceTicks / 10_000} is not between 0 and 1`);
  }
  if (priceTicks % stepTicks !== 0) {
    throw new Refusal(
      400,
      `The price ${priceTicks / 10_000} breaks the step ${stepTicks / 10_000}`,
    );
  }
  if (!Number.isInteger(lots) || lots < 1) throw new Refusal(400, 'The size is off the grid');
}
