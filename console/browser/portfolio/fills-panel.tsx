/** The trades of an account: its own ones with fees, those of others as everybody sees them. */
import { type ColumnTerms, Id, linkTo, Moment, SideText } from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { type Fill, fillsOf } from '../trading/fills.ts';
import { centsText, lotsOfTokens, microsOf, moneyText, tokensText } from '../trading/units.ts';
import { send, type TradeFill } from '../wire/index.ts';
import { MarketCell, PagedTable } from './cells.tsx';
import { type ListPage, pageByOffset, useNames, usePages, useReload } from './use-pages.ts';

const PAGE_SIZE = 100;
const END_CURSOR = 'LTE=';
const MICROS_PER_TICK = 100;

async function fetchOwn(
  account: string,
  cursor: string,
  signal: AbortSignal,
): Promise<ListPage<Fill>> {
  const query = { maker_address: account, next_cursor: cursor === '' ? undefined : cursor };
  const request = { method: 'GET', path: '/data/trades', query, auth: 'l2', signal } as const;
  const { data, next_cursor: next } = await send(request);
  const rows = data.flatMap((trade) => fillsOf(trade, [account]));
  return { rows, next: next === END_CURSOR ? undefined : next };
}

type PublicFill = Omit<Fill, 'feeMicros' | 'role'> & { readonly title: string };

function publicFill(row: TradeFill): PublicFill {
  return {
    key: row.id,
    tradeId: row.transactionHash,
    conditionId: row.conditionId,
    title: row.title,
    outcome: row.outcome,
    side: row.side,
    priceTicks: Math.round(microsOf(row.price) / MICROS_PER_TICK),
    lots: lotsOfTokens(row.size),
    timeMs: row.timestamp * 1_000,
  };
}

async function fetchPublic(
  account: string,
  cursor: string,
  signal: AbortSignal,
): Promise<ListPage<PublicFill>> {
  const offset = Number(cursor);
  const query = { user: account, takerOnly: false, limit: PAGE_SIZE, offset };
  const request = { method: 'GET', path: '/trades', query, signal } as const;
  const rows = await send(request);
  return pageByOffset(cursor, rows.map(publicFill), PAGE_SIZE);
}

function columnsOf<Row extends Omit<PublicFill, 'title'>>(
  titleOf: (row: Row) => string,
): readonly ColumnTerms<Row>[] {
  return [
    [
      'Market',
      (fill) => (
        <MarketCell conditionId={fill.conditionId} title={titleOf(fill)}>
          <SideText {...fill} />
        </MarketCell>
      ),
    ],
    ['Price', ({ priceTicks }) => centsText(priceTicks), 'number'],
    ['Tokens', ({ lots }) => tokensText(lots), 'number'],
    ['Cash', ({ lots, priceTicks }) => moneyText(lots * priceTicks), 'number', 'minor'],
  ];
}

const TIME: ColumnTerms<{ readonly timeMs: number }> = [
  'Time',
  ({ timeMs }) => <Moment timeMs={timeMs} />,
];

export function OwnFills({ account }: { account: string }) {
  const pages = usePages((cursor, signal) => fetchOwn(account, cursor, signal), [account]);
  useReload(pages.resource.reload, [pageStreams().user.trades]);
  const now = pages.resource.now.value;
  const names = useNames(
    now.state === 'ready' ? now.value.rows.map(({ conditionId }) => conditionId) : [],
  );
  return (
    <PagedTable
      label="Fills"
      pages={pages}
      keyOf={({ key }) => key}
      columns={[
        ...columnsOf<Fill>(({ conditionId }) => names.get(conditionId) ?? conditionId),
        ['Fee', ({ feeMicros }) => moneyText(feeMicros), 'number', 'minor'],
        ['As', 'role', undefined, 'minor'],
        TIME,
        [
          'Trade',
          ({ tradeId }) => <Id text={tradeId} href={linkTo(['explorer', 'trade', tradeId])} />,
          undefined,
          'minor',
        ],
      ]}
      empty="This account has not traded yet."
    />
  );
}

export function PublicFills({ account }: { account: string }) {
  const pages = usePages((cursor, signal) => fetchPublic(account, cursor, signal), [account]);
  return (
    <PagedTable
      label="Fills"
      pages={pages}
      keyOf={({ key }) => key}
      columns={[...columnsOf<PublicFill>(({ title }) => title), TIME]}
      empty="This account has not traded yet."
    />
  );
}
