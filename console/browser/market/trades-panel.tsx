/** The trades of the market as they happen, as the chosen outcome sees them. */

import { useSignal } from '@preact/signals';
import { ONE_TICKS } from '../decimal/index.ts';
import { Empty, localTime, Skeleton, set, Table } from '../kit/index.ts';
import type { Outcome } from '../streams/market-book.ts';
import type { MarketTrade } from '../streams/market-feed.ts';
import { centsText, tokensText } from '../trading/units.ts';
import type { Desk } from './use-sending.ts';

const OTHER = { BUY: 'SELL', SELL: 'BUY' } as const;

/**
 * Buying NO at a price and selling YES at the complement are the same trade here: the stream does
 * not tell which of them the taker did, and so not what it paid.
 */
function seenBy(outcome: Outcome, trade: MarketTrade): MarketTrade {
  if (outcome === 0) return trade;
  return { ...trade, priceTicks: ONE_TICKS - trade.priceTicks, side: OTHER[trade.side] };
}

/** Each trade draws the list again: a lively market would be slow with all that are kept. */
const FEW = 50;

export function TradesPanel({ desk: { view, ticket, rules } }: { desk: Desk }) {
  const outcome = ticket.outcome.value;
  const name = rules.value.outcomes[outcome];
  const isWhole = useSignal(false);
  const kept = view.trades.value;
  const trades = isWhole.value ? kept : kept.slice(0, FEW);
  const history = view.history.value;
  return (
    <>
      {history === 'failed' && (
        <p class="stale" role="status">
          Earlier trades could not be loaded.{' '}
          <button type="button" class="link" onClick={() => view.loadHistory()}>
            Load them
          </button>
        </p>
      )}
      {trades.length === 0 && history !== 'loaded' && history !== 'failed' ? (
        <Skeleton />
      ) : trades.length === 0 ? (
        <Empty>Nobody has traded in this market yet.</Empty>
      ) : (
        <Table
          label={`Trades of ${name}`}
          rows={trades.map((trade) => seenBy(outcome, trade))}
          keyOf={({ transactionHash }) => transactionHash}
          columns={[
            ['Time', ({ timeMs }) => localTime(timeMs)],
            [
              'Taker',
              ({ side }) => (
                <span class={side === 'BUY' ? 'buy-text' : 'sell-text'}>
                  {side === 'BUY' ? 'for' : 'against'} {name}
                </span>
              ),
            ],
            ['Price', (trade) => centsText(trade.priceTicks), 'number'],
            ['Tokens', ({ lots }) => tokensText(lots), 'number'],
          ]}
          empty=""
        />
      )}
      {kept.length > trades.length && (
        <p>
          <button type="button" onClick={() => set(isWhole, true)}>
            Show {kept.length - trades.length} earlier trades
          </button>
        </p>
      )}
    </>
  );
}
