/** Events with their likeliest outcomes; the other outcomes of an event are shown on demand. */
import { useSignal } from '@preact/signals';
import { type ColumnTerms, Day, linkTo, Picture, Table } from '../kit/index.ts';
import { useHistories } from './histories.ts';
import { useLiveMarkets } from './live-prices.ts';
import type { EventRow, MarketRow } from './market-row.ts';
import { priceColumns, Volume } from './price-columns.tsx';

interface Row {
  readonly event: EventRow;
  /** Undefined for an event without markets. */
  readonly market: MarketRow | undefined;
  /** Whether it stands for its event; the others are outcomes below it. */
  readonly isFirst: boolean;
}

function rowsOf(event: EventRow, isOpen: boolean): readonly Row[] {
  const [leader, ...others] = event.markets;
  const first = { event, market: leader, isFirst: true };
  if (!isOpen) return [first];
  return [first, ...others.map((market) => ({ event, market, isFirst: false }))];
}

function addressOf({ slug, markets }: EventRow): string {
  const [only] = markets;
  const isAlone = only !== undefined && markets.length === 1;
  return isAlone ? linkTo(['market', only.conditionId]) : linkTo(['event', slug]);
}

interface NameProps {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Name({ row: { event, market, isFirst }, isOpen, onToggle }: NameProps) {
  if (!isFirst) {
    return (
      <span class="outcome">
        <a href={linkTo(['market', market?.conditionId ?? ''])}>{market?.label}</a>
      </span>
    );
  }
  const count = event.markets.length;
  return (
    <span class="event">
      <Picture path={event.picture} size={24} />
      <span>
        <a href={addressOf(event)}>{event.title}</a>{' '}
        {count > 1 && market !== undefined && (
          <span class="leader">
            {market.label}{' '}
            <button type="button" class="quiet" aria-expanded={isOpen} onClick={onToggle}>
              {isOpen ? 'Show the first only' : `${count} outcomes`}
            </button>
          </span>
        )}
        {count === 1 && market !== undefined && market.outcome !== 'Yes' && (
          <span class="leader">{market.outcome}</span>
        )}
      </span>
    </span>
  );
}

const dayVolumes: readonly ColumnTerms<Row>[] = [
  [
    '24 h volume',
    ({ event, market, isFirst }) => (
      <Volume amount={isFirst ? event.dayVolume : (market?.dayVolume ?? 0)} />
    ),
    'number',
    'minor',
  ],
];

export function EventTable({ events }: { events: readonly EventRow[] }) {
  const open = useSignal<ReadonlySet<string>>(new Set());
  const rows = events.flatMap((event) => rowsOf(event, open.value.has(event.slug)));
  const markets = rows.flatMap(({ market }) => (market === undefined ? [] : [market]));
  const histories = useHistories(markets);
  const views = useLiveMarkets(markets);
  const toggle = (slug: string): void => {
    const next = new Set(open.value);
    if (!next.delete(slug)) next.add(slug);
    open.value = next;
  };
  const sources = { views: views.value, histories: histories.value };
  // Two columns that say the same are one too many.
  const isYoung = events.every(({ dayVolume, volume }) => dayVolume === volume);
  const columns: readonly ColumnTerms<Row>[] = [
    [
      'Market',
      (row) => (
        <Name
          row={row}
          isOpen={open.value.has(row.event.slug)}
          onToggle={() => toggle(row.event.slug)}
        />
      ),
    ],
    ...priceColumns(({ market }: Row) => market, sources),
    ...(isYoung ? [] : dayVolumes),
    [
      'Volume',
      ({ event, market, isFirst }) => (
        <Volume amount={isFirst ? event.volume : (market?.volume ?? 0)} />
      ),
      'number',
      'minor',
    ],
    [
      'Ends',
      ({ event: { endMs, isClosed }, isFirst }) => {
        if (!isFirst) return null;
        if (isClosed) return <span class="badge">closed</span>;
        return endMs === undefined ? '–' : <Day timeMs={endMs} />;
      },
      'number',
      'minor',
    ],
  ];
  return (
    <Table
      label="Events"
      rows={rows}
      keyOf={({ event, market, isFirst }) =>
        isFirst ? event.slug : `${event.slug} ${market?.conditionId}`
      }
      columns={columns}
      empty="No event matches."
    />
  );
}
