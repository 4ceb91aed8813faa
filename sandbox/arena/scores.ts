/**
 * Ranks the bots of an arena by what a journal says. Profit is what all accounts of a bot have at
 * the end, less what they were given. Fees, rebates and rewards are in it, because they are cash.
 *
 * A complete set counts as one unit, as a merge would pay. Other tokens count as what the other
 * accounts' orders on the book would pay for them, fees of these sales excluded, and no more: a bot
 * can't raise its own price. Those of a resolved market count as what they pay.
 */
import {
  complement,
  type EngineEvent,
  type MarketState,
  type Micros,
  ONE_TICKS,
  type PositionState,
  type StateView,
} from '../../engine/index.ts';
import { microsText } from '../../http/codec/index.ts';
import type { ArenaEntrant, ArenaRow } from './arena-file.ts';

const YES = 0;
const NO = 1;

interface Sums {
  depositMicros: number;
  feeMicros: number;
  fills: number;
}

export class Scores {
  /** By the owner's address, in lower case. */
  readonly #sums: ReadonlyMap<string, Sums>;
  readonly #entrants: readonly ArenaEntrant[];
  /** The owner of each account of an entrant. */
  readonly #owners = new Map<string, string>();

  constructor(entrants: readonly ArenaEntrant[]) {
    this.#entrants = entrants;
    this.#sums = new Map(
      entrants.map(({ owner }) => [owner, { depositMicros: 0, feeMicros: 0, fills: 0 }]),
    );
  }

  /** Takes each command of the journal, in order. */
  take({ events }: { readonly events: readonly EngineEvent[] }): void {
    for (const event of events) {
      if (event.kind === 'account_opened' && this.#sums.has(event.owner)) {
        this.#owners.set(event.address, event.owner);
        this.#of(event.address, (sums) => {
          sums.depositMicros += event.paperMicros;
        });
      } else if (event.kind === 'cash_moved') {
        this.#of(event.account, (sums) => {
          sums.depositMicros += event.amountMicros;
        });
      } else if (event.kind === 'fill') {
        this.#fill(event.takerAccount, event.fees?.takerMicros);
        this.#fill(event.makerAccount, event.fees?.makerMicros);
      }
    }
  }

  #fill(account: string, feeMicros = 0): void {
    this.#of(account, (sums) => {
      sums.fills += 1;
      sums.feeMicros += feeMicros;
    });
  }

  #of(account: string, change: (sums: Sums) => void): void {
    const sums = this.#sums.get(this.#owners.get(account) ?? '');
    if (sums !== undefined) change(sums);
  }

  /** The table for the state after the last command: the largest profit first, then by name. */
  table(state: StateView): ArenaRow[] {
    const markets = new Map([...state.markets].map((market) => [market.conditionId, market]));
    const accounts = [...state.accounts].filter(({ owner }) => this.#sums.has(owner));
    const rows = this.#entrants.map(({ name, owner }) => {
      const own = accounts.filter((account) => account.owner === owner);
      const addresses = new Set(own.map(({ address }) => address));
      const cash = sum(own.map((account) => account.availableMicros + account.heldMicros));
      const positions = own.flatMap((account) => account.positions);
      const byMarket = [...Map.groupBy(positions, ({ conditionId }) => conditionId)];
      const tokens = sum(byMarket.map(([id, held]) => worth(markets.get(id), held, addresses)));
      const { depositMicros, feeMicros, fills } = this.#sums.get(owner) as Sums; // of an entrant
      const profit = cash + tokens - depositMicros;
      const texts = [profit, depositMicros, cash, tokens, feeMicros].map(signedText);
      const [profitText = '', deposits = '', cashText = '', tokensText = '', fees = ''] = texts;
      const row = { name, profit: profitText, deposits, cash: cashText, tokens: tokensText };
      return { profit, row: { ...row, fees, fills } };
    });
    const byRank = rows.toSorted(
      (a, b) => b.profit - a.profit || (a.row.name < b.row.name ? -1 : 1),
    );
    return byRank.map(({ row }) => row);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function signedText(micros: number): string {
  return `${micros < 0 ? '-' : ''}${microsText(Math.abs(micros) as Micros)}`; // whole, as its parts
}

/** What the tokens of a market are worth, in micros. */
function worth(
  market: MarketState | undefined,
  positions: readonly PositionState[],
  own: ReadonlySet<string>,
): number {
  if (market === undefined) throw new Error('a position names a market that does not exist');
  const lotsOf = (outcome: 0 | 1): number =>
    sum(
      positions
        .filter((position) => position.outcome === outcome)
        .map(({ availableLots, heldLots }) => availableLots + heldLots),
    );
  const [yes, no] = [lotsOf(YES), lotsOf(NO)];
  const { payoutTicks } = market;
  if (payoutTicks !== null) return yes * payoutTicks + no * complement(payoutTicks);
  const sets = Math.min(yes, no);
  return sets * ONE_TICKS + sold(market, YES, yes - sets, own) + sold(market, NO, no - sets, own);
}

/** What the orders of others pay for lots of an outcome, best price first. */
function sold(
  { bids, asks }: MarketState,
  outcome: 0 | 1,
  lots: number,
  own: ReadonlySet<string>,
): number {
  let left = lots;
  let micros = 0;
  for (const order of outcome === YES ? bids : asks) {
    if (own.has(order.account)) continue;
    const taken = Math.min(left, order.remainingLots);
    // An order's price is that of its own outcome.
    const isSame = order.outcome === outcome;
    micros += taken * (isSame ? order.priceTicks : complement(order.priceTicks));
    left -= taken;
  }
  return micros;
}
