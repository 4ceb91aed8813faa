/** All that an account did: trades, moves between cash and tokens, deposits and withdrawals. */
import type { ReadonlySignal } from '@preact/signals';
import { cents, Moment, SideText } from '../kit/index.ts';
import { Money } from '../trading/gain.tsx';
import { lotsOfTokens, microsOf, tokensText } from '../trading/units.ts';
import { type Activity, send } from '../wire/index.ts';
import { MarketCell, PagedTable } from './cells.tsx';
import { pageByOffset, usePages, useReload } from './use-pages.ts';

const PAGE_SIZE = 100;

const KINDS: Readonly<Record<string, string>> = {
  SPLIT: 'Split',
  MERGE: 'Merge',
  REDEEM: 'Redemption',
  CONVERSION: 'Conversion',
  DEPOSIT: 'Deposit',
  WITHDRAWAL: 'Withdrawal',
};

function What({ type, side, outcome }: Activity) {
  if (type === 'TRADE' && side !== '') return <SideText side={side} outcome={outcome} />;
  return (
    <span>
      {KINDS[type] ?? type} {outcome}
    </span>
  );
}

interface ActivityProps {
  readonly account: string;
  readonly changes: readonly ReadonlySignal<unknown>[];
}

export function ActivityPanel({ account, changes }: ActivityProps) {
  const pages = usePages<Activity>(
    async (cursor, signal) => {
      const query = {
        ...{ user: account, limit: PAGE_SIZE, offset: Number(cursor) },
        excludeDepositsWithdrawals: false,
      };
      const request = { method: 'GET', path: '/activity', query, signal } as const;
      return pageByOffset(cursor, await send(request), PAGE_SIZE);
    },
    [account],
  );
  useReload(pages.resource.reload, changes);
  return (
    <PagedTable
      label="Activity"
      pages={pages}
      keyOf={({ id, asset, conditionId }) => `${id}/${conditionId}/${asset}`}
      columns={[
        [
          'Market',
          (row) => (
            <MarketCell conditionId={row.conditionId} title={row.title}>
              <What {...row} />
            </MarketCell>
          ),
        ],
        ['Price', ({ type, price }) => (type === 'TRADE' ? cents(price) : ''), 'number', 'minor'],
        [
          'Tokens',
          ({ size, conditionId }) => (conditionId === '' ? '' : tokensText(lotsOfTokens(size))),
          'number',
        ],
        ['Cash', ({ usdcSize }) => <Money micros={microsOf(usdcSize)} />, 'number'],
        ['Time', ({ timestamp }) => <Moment timeMs={timestamp * 1_000} />, undefined, 'minor'],
      ]}
      empty="This account has done nothing yet."
    />
  );
}
