/** Positions that were sold, redeemed or became worthless. */
import type { ReadonlySignal } from '@preact/signals';
import { cents, Moment } from '../kit/index.ts';
import { Gain } from '../trading/gain.tsx';
import { lotsOfTokens, microsOf, tokensText } from '../trading/units.ts';
import { type ClosedPosition, send } from '../wire/index.ts';
import { MARKET, PagedTable } from './cells.tsx';
import { pageByOffset, usePages, useReload } from './use-pages.ts';

const PAGE_SIZE = 50;

interface ClosedProps {
  readonly account: string;
  readonly changes: readonly ReadonlySignal<unknown>[];
}

export function ClosedPanel({ account, changes }: ClosedProps) {
  const pages = usePages<ClosedPosition>(
    async (cursor, signal) => {
      const offset = Number(cursor);
      const query = { user: account, limit: PAGE_SIZE, offset, sortBy: 'TIMESTAMP' };
      const request = { method: 'GET', path: '/closed-positions', query, signal } as const;
      return pageByOffset(cursor, await send(request), PAGE_SIZE);
    },
    [account],
  );
  useReload(pages.resource.reload, changes);
  return (
    <PagedTable
      label="Closed positions"
      pages={pages}
      keyOf={({ conditionId, outcomeIndex }) => `${conditionId}/${outcomeIndex}`}
      columns={[
        MARKET,
        ['Bought', ({ totalBought }) => tokensText(lotsOfTokens(totalBought)), 'number'],
        ['Average price', ({ avgPrice }) => cents(avgPrice), 'number', 'minor'],
        ['Last price', ({ curPrice }) => cents(curPrice), 'number', 'minor'],
        [
          'Profit',
          ({ realizedPnl, percentRealizedPnl }) => (
            <Gain micros={microsOf(realizedPnl)} percent={percentRealizedPnl} />
          ),
          'number',
        ],
        ['Closed', ({ timestamp }) => <Moment timeMs={timestamp * 1_000} />, undefined, 'minor'],
      ]}
      empty="No position is closed yet."
    />
  );
}
