/** Positions that were sold, redeemed or became worthless. */
import type { ReadonlySignal } from '@preact/signals';
import { cents, Moment } from '../kit/index.ts';
import { lotsOfTokens, microsOf, tokensText } from '../trading/index.ts';
import { type ClosedPosition, send } from '../wire/index.ts';
import { Gain } from './amounts.tsx';
import { PagedTable } from './lists.tsx';
import { MarketCell } from './market-cell.tsx';
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
      return pageByOffset(cursor, await send<readonly ClosedPosition[]>(request), PAGE_SIZE);
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
        {
          head: 'Market',
          cell: ({ conditionId, title, outcome }) => (
            <MarketCell conditionId={conditionId} title={title}>
              <span class="badge">{outcome}</span>
            </MarketCell>
          ),
        },
        {
          head: 'Bought',
          isNumber: true,
          cell: ({ totalBought }) => tokensText(lotsOfTokens(totalBought)),
        },
        {
          head: 'Average price',
          isNumber: true,
          isMinor: true,
          cell: ({ avgPrice }) => cents(avgPrice),
        },
        {
          head: 'Last price',
          isNumber: true,
          isMinor: true,
          cell: ({ curPrice }) => cents(curPrice),
        },
        {
          head: 'Profit',
          isNumber: true,
          cell: ({ realizedPnl, percentRealizedPnl }) => (
            <Gain micros={microsOf(realizedPnl)} percent={percentRealizedPnl} />
          ),
        },
        {
          head: 'Closed',
          isMinor: true,
          cell: ({ timestamp }) => <Moment timeMs={timestamp * 1_000} />,
        },
      ]}
      empty="No position is closed yet."
    />
  );
}
