/** Events and their markets, with everything that an operator can do to them. */
import { useSignal } from '@preact/signals';
import {
  cents,
  Empty,
  Field,
  Id,
  Loaded,
  linkTo,
  Moment,
  place,
  replaceQuery,
  Segments,
  short,
  Table,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { type CatalogEvent, type EventsAnswer, type SearchResult, send } from '../wire/index.ts';
import {
  addMarketWrite,
  closeWrite,
  type EventMarket,
  editEventWrite,
  editMarketWrite,
  marketName,
  NEW_EVENT,
  openEventWrite,
  openWrite,
  resolveEventWrite,
  resolveWrite,
  stateWrite,
  termsWrite,
} from './market-writes.ts';
import { FoldedWrites, Writes } from './writes.tsx';

const PAGE = 50;
/** More are not listed in one answer. */
const MOST = 500;
const SHOWN = [
  ['open', 'Open'],
  ['closed', 'Ended'],
] as const;
type Shown = (typeof SHOWN)[number][0];

function isSettled({ umaResolutionStatus }: EventMarket): boolean {
  return umaResolutionStatus === 'resolved';
}

function stateOf(market: EventMarket): string {
  if (isSettled(market)) return 'resolved';
  if (market.closed) return 'closed';
  return market.acceptingOrders ? 'open' : 'paused';
}

const STATE_TONES: Readonly<Record<string, string>> = { open: 'good', paused: 'warn' };

function MarketState({ market }: { market: EventMarket }) {
  const state = stateOf(market);
  return <span class={`badge ${STATE_TONES[state] ?? ''}`}>{state}</span>;
}

function writesOf(market: EventMarket) {
  if (isSettled(market)) return [editMarketWrite(market)];
  if (!market.enableOrderBook) return [openWrite(market), editMarketWrite(market)];
  return [
    stateWrite(market),
    termsWrite(market),
    editMarketWrite(market),
    closeWrite(market),
    resolveWrite(market),
  ];
}

function EventMarkets({ event, onDone }: { event: CatalogEvent; onDone: () => void }) {
  return (
    <Table
      label={`Markets of ${event.title}`}
      rows={event.markets}
      keyOf={({ id }) => id}
      empty="It has no market yet."
      columns={[
        { head: 'Market', cell: marketName },
        { head: 'State', cell: (market) => <MarketState market={market} /> },
        { head: 'Bid', isNumber: true, cell: ({ bestBid }) => cents(bestBid ?? Number.NaN) },
        { head: 'Ask', isNumber: true, cell: ({ bestAsk }) => cents(bestAsk ?? Number.NaN) },
        {
          ...{ head: 'Volume, units', isNumber: true, isMinor: true },
          cell: ({ volumeNum }) => short(volumeNum ?? 0),
        },
        {
          head: 'Condition id',
          isMinor: true,
          cell: ({ conditionId }) => <Id text={conditionId} />,
        },
        {
          head: 'Actions',
          cell: (market) => (
            <FoldedWrites writes={writesOf(market)} subject={marketName(market)} onDone={onDone} />
          ),
        },
      ]}
    />
  );
}

function EventView({ id }: { id: string }) {
  const event = useResource(
    (signal) =>
      send<CatalogEvent>({ method: 'GET', path: `/events/${id}`, auth: 'operator', signal }),
    [id],
  );
  return (
    <Loaded resource={event}>
      {(one) => (
        <div class="panel stack">
          <p>
            <a href={linkTo(['markets'])}>All events</a>
          </p>
          <h1>{one.title}</h1>
          <p class="muted">
            {one.negRisk
              ? 'Neg-risk: exactly one of its markets wins. They are resolved together.'
              : 'Each market is resolved by itself.'}
          </p>
          <Writes
            writes={[
              editEventWrite(one),
              addMarketWrite(one),
              ...(one.negRisk ? [openEventWrite(one), resolveEventWrite(one)] : []),
            ]}
            onDone={event.reload}
          />
          <EventMarkets event={one} onDone={event.reload} />
        </div>
      )}
    </Loaded>
  );
}

interface EventQuery {
  readonly isEnded: boolean;
  readonly limit: number;
  readonly words: string;
  readonly signal: AbortSignal;
}

function listEvents({ isEnded, limit, signal }: EventQuery): Promise<EventsAnswer> {
  return send<EventsAnswer>({
    ...{ method: 'GET', path: '/events/pagination', auth: 'operator', signal },
    query: { limit, closed: isEnded },
  });
}

async function findEvents({ isEnded, limit, words, signal }: EventQuery): Promise<EventsAnswer> {
  const { events, pagination } = await send<SearchResult>({
    ...{ method: 'GET', path: '/public-search', auth: 'operator', signal },
    query: {
      q: words,
      limit_per_type: limit,
      events_status: isEnded ? 'closed' : 'active',
      search_tags: false,
    },
  });
  return { data: events, pagination };
}

function EventList() {
  const search = useSignal(place.peek().query.get('q') ?? '');
  const shown = useSignal<Shown>('open');
  const limit = useSignal(PAGE);
  const words = search.value.trim();
  const isEnded = shown.value === 'closed';
  const events = useResource(
    (signal) =>
      (words === '' ? listEvents : findEvents)({ isEnded, limit: limit.value, words, signal }),
    [limit.value, isEnded, words],
  );
  return (
    <div class="panel stack">
      <div class="row apart">
        <h1>Events and markets</h1>
        <Writes writes={[NEW_EVENT]} onDone={events.reload} />
      </div>
      <div class="row">
        <Field
          label="Search titles"
          type="search"
          value={search.value}
          maxLength={100}
          onInput={(value) => {
            search.value = value;
            replaceQuery(value === '' ? {} : { q: value });
          }}
        />
        <Segments
          label="Which events"
          value={shown.value}
          options={SHOWN}
          onChange={(value) => {
            shown.value = value;
          }}
        />
      </div>
      <Loaded resource={events} lines={8}>
        {({ data, pagination }) => (
          <>
            <Table
              label="Events"
              rows={data}
              keyOf={({ id }) => id}
              empty="No event matches."
              columns={[
                {
                  head: 'Event',
                  cell: ({ id, title }) => <a href={linkTo(['markets', id])}>{title}</a>,
                },
                { head: 'Markets', isNumber: true, cell: ({ markets }) => markets.length },
                {
                  head: 'Kind',
                  cell: ({ negRisk }) => (negRisk ? 'neg-risk' : 'separate'),
                  isMinor: true,
                },
                {
                  ...{ head: 'Volume, units', isNumber: true, isMinor: true },
                  cell: ({ volume }) => short(volume ?? 0),
                },
                {
                  head: 'Ends',
                  isMinor: true,
                  cell: ({ endDate }) =>
                    endDate === null ? '–' : <Moment timeMs={Date.parse(endDate)} />,
                },
              ]}
            />
            {pagination.hasMore && limit.value >= MOST && (
              <p class="muted">
                These are the first {MOST} of {pagination.totalResults}. Search for the others.
              </p>
            )}
            {pagination.hasMore && limit.value < MOST && (
              <button
                type="button"
                onClick={() => {
                  limit.value += PAGE;
                }}
              >
                Show more of {pagination.totalResults}
              </button>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

export function EventsPage() {
  useTitle('Events and markets');
  const [, id] = place.value.segments;
  if (id === undefined) return <EventList />;
  return /^\d{1,16}$/.test(id) ? <EventView id={id} /> : <Empty>There is no such event.</Empty>;
}
