/**
 * The live fields of a market in the catalog's lists (wire 8.3): state, prices, tick size, minimum
 * size and fees. The catalog's threads write the rest of the object and leave a slot for them.
 *
 * Invariant: the fields of a market that is traded here come from the registry and the durable
 * book; its catalog record can only close it or stop its orders. Any other market has no text, and
 * its record's own fields are shown. Each field begins with a comma. A price that the book does not
 * have is left out, not null.
 * Bound: a text is made once for each version of a book, and `figuresKept` of them are cached.
 */
import { ONE_TICKS, type Ticks } from '../../engine/model/index.ts';
import type { MarketSlot } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { halfTicksText, lotsText, remember, ticksText } from '../codec/index.ts';
import type { BookViews } from './books.ts';
import type { MarketEntry, Registry } from './registry.ts';
import type { TokenBook } from './token-book.ts';

interface Sources {
  readonly books: Pick<BookViews, 'token'>;
  readonly registry: Pick<Registry, 'market' | 'acceptsOrders'>;
}

/** A cached text and the values that it was made from. */
interface Figures {
  readonly market: MarketEntry;
  readonly version: number;
  readonly closed: boolean;
  readonly accepting: boolean;
  readonly text: string;
}

/** A JSON string whose content is a JSON array of the two prices, as decimal texts. */
function pricesText(yes: number): string {
  return `"[\\"${halfTicksText(yes)}\\", \\"${halfTicksText(2 * ONE_TICKS - yes)}\\"]"`;
}

const EVEN = ONE_TICKS;
const BPS_PER_ONE = 10_000;

/** The price of the first outcome, in half ticks: its payout, else its value, else 0.5. */
function yesPrice({ payoutTicks }: MarketEntry, book: TokenBook | undefined): number {
  return payoutTicks === undefined ? (book?.value ?? EVEN) : 2 * payoutTicks;
}

function member(name: string, value: string): string {
  return `,"${name}":${value}`;
}

function priceMember(name: string, price: Ticks | undefined): string {
  return price === undefined ? '' : member(name, ticksText(price));
}

/** The prices of the first outcome that the book has. */
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

/** What clients of public venues read to see whether the outcome is final. */
function resolutionMember({ status }: MarketEntry): string {
  return status === 'resolved'
    ? member('umaResolutionStatus', '"resolved"') +
        member('umaResolutionStatuses', '"[\\"resolved\\"]"')
    : member('umaResolutionStatuses', '"[]"');
}

/** The fees that an order pays which is accepted now. */
function feeMembers({ takerFeeBps, makerFeeBps, feeExponent }: MarketEntry): string {
  const schedule = {
    exponent: feeExponent,
    rate: takerFeeBps / BPS_PER_ONE,
    takerOnly: makerFeeBps === 0,
    rebateRate: 0,
  };
  return (
    member('feesEnabled', `${takerFeeBps > 0 || makerFeeBps > 0}`) +
    member('makerBaseFee', `${makerFeeBps}`) +
    member('takerBaseFee', `${takerFeeBps}`) +
    member('feeSchedule', JSON.stringify(schedule))
  );
}

/** Makes and caches the live fields of markets in catalog answers. */
export class LiveMarkets {
  readonly #sources: Sources;
  /** By condition id. */
  readonly #kept = new Map<string, Figures>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The live fields as JSON text; undefined for a market that is not traded here. */
  text({ conditionId, closed, acceptingOrders }: MarketSlot): string | undefined {
    const { books, registry } = this.#sources;
    const market = registry.market(conditionId);
    if (market === undefined) return undefined;
    const accepting = acceptingOrders && registry.acceptsOrders(market);
    const book = books.token(market.tokenIds[0]);
    const version = book?.book.version ?? -1;
    const known = this.#kept.get(conditionId);
    // Registry entries never change: the same entry means the same terms and status.
    const isSame = known?.market === market && known.version === version;
    if (isSame && known.closed === closed && known.accepting === accepting) return known.text;
    const { status, tickTicks, minimumLots } = market;
    const text =
      stateMembers(closed || status === 'closed' || status === 'resolved', accepting) +
      resolutionMember(market) +
      member('outcomePrices', pricesText(yesPrice(market, book))) +
      bookMembers(book) +
      member('orderPriceMinTickSize', ticksText(tickTicks)) +
      member('orderMinSize', lotsText(minimumLots)) +
      feeMembers(market);
    // The key is the registry's text: the slot's may be a slice that keeps a whole answer alive.
    const figures = { market, version, closed, accepting, text };
    remember(this.#kept, market.conditionId, figures, READ_BOUNDS.figuresKept);
    return text;
  }
}
