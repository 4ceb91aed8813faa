/**
 * The live fields of a market in the catalog's lists (wire 8.3): state, prices and steps. The
 * catalog's threads write the rest of the object and leave a slot for these fields.
 *
 * Invariant: of a market that is traded here the registry and the durable book are asked, whatever
 * a source says of it; of another one nothing is said, and the source's word stands.
 * Each member has a comma before it. What may be unknown of a book is left out rather than null.
 * Bound: a text is made once for each version of a book, and `figuresKept` of them are remembered.
 */
import { ONE_TICKS, type Ticks } from '../../engine/model/index.ts';
import type { MarketSlot } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/index.ts';
import { halfTicksText, lotsText, remember, ticksText } from '../codec/index.ts';
import type { BookViews } from './books.ts';
import type { MarketEntry, Registry } from './registry.ts';
import type { TokenBook } from './token-book.ts';

interface Sources {
  readonly books: Pick<BookViews, 'token'>;
  readonly registry: Pick<Registry, 'market' | 'acceptsOrders'>;
}

/** A text, and all that it was made of. */
interface Figures {
  readonly market: MarketEntry;
  readonly version: number;
  readonly closed: boolean;
  readonly accepting: boolean;
  readonly text: string;
}

/** A JSON array of two numbers as text, itself carried as a text. */
function pricesText(yes: number): string {
  return `"[\\"${halfTicksText(yes)}\\", \\"${halfTicksText(2 * ONE_TICKS - yes)}\\"]"`;
}

const EVEN = ONE_TICKS;

/** The price of the first outcome, in half ticks: what it pays, or the book's middle. */
function yesPrice({ payoutTicks }: MarketEntry, book: TokenBook | undefined): number {
  return payoutTicks === undefined ? (book?.midpoint ?? EVEN) : 2 * payoutTicks;
}

function member(name: string, value: string): string {
  return `,"${name}":${value}`;
}

function priceMember(name: string, price: Ticks | undefined): string {
  return price === undefined ? '' : member(name, ticksText(price));
}

/** The prices of the first outcome, as far as there are any. */
function bookMembers(book: TokenBook | undefined): string {
  if (book === undefined) return '';
  const { bidTicks, askTicks, lastTradeTicks, spreadTicks } = book;
  const [hasBid, hasAsk] = [bidTicks !== 0, askTicks !== ONE_TICKS];
  return (
    priceMember('lastTradePrice', lastTradeTicks) +
    priceMember('bestBid', hasBid ? bidTicks : undefined) +
    priceMember('bestAsk', hasAsk ? askTicks : undefined) +
    priceMember('spread', hasBid && hasAsk ? spreadTicks : undefined)
  );
}

function stateMembers(isClosed: boolean, isAccepting: boolean): string {
  return member('closed', `${isClosed}`) + member('acceptingOrders', `${isAccepting}`);
}

/** The live members of markets in answers of the catalog, by the state of the books. */
export class LiveMarkets {
  readonly #sources: Sources;
  /** By condition id. */
  readonly #kept = new Map<string, Figures>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Undefined of a market that is not traded here. */
  text({ conditionId, closed, acceptingOrders }: MarketSlot): string | undefined {
    const { books, registry } = this.#sources;
    const market = registry.market(conditionId);
    if (market === undefined) return undefined;
    const accepting = acceptingOrders && registry.acceptsOrders(market);
    const book = books.token(market.tokenIds[0]);
    const version = book?.book.version ?? -1;
    const known = this.#kept.get(conditionId);
    // An entry of the registry never changes: another one means that something of it did.
    const isSame = known?.market === market && known.version === version;
    if (isSame && known.closed === closed && known.accepting === accepting) return known.text;
    const { status, tickTicks, minimumLots } = market;
    const text =
      stateMembers(closed || status === 'closed' || status === 'resolved', accepting) +
      member('outcomePrices', pricesText(yesPrice(market, book))) +
      bookMembers(book) +
      member('orderPriceMinTickSize', ticksText(tickTicks)) +
      member('orderMinSize', lotsText(minimumLots));
    // By the registry's own text, for the other may hold a whole answer's memory.
    const figures = { market, version, closed, accepting, text };
    remember(this.#kept, market.conditionId, figures, READ_BOUNDS.figuresKept);
    return text;
  }
}
