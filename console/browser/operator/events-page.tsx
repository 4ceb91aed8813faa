/** Events and their markets, with everything that an operator can do to them. */
import { useSignal } from '@preact/signals';
import {
  type ColumnTerms,
  cents,
  Empty,
  Field,
  Loaded,
  linkTo,
  place,
  replaceQuery,
  Segments,
  setter,
  short,
  Table,
  useAnswer,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { type CatalogEvent, send } from '../wire/index.ts';
import {
  type EventMarket,
  eventWrites,
  isSettled,
  marketName,
  marketWrites,
  NEW_EVENT,
} from './market-writes.ts';
import { Writes } from './writes.tsx';

const PAGE = 50;
/** More are not listed in one answer. */
const MOST = 500;
const SHOWN = [
  ['open', 'Open'],
  ['closed', 'Ended'],
] as const;
type Shown = (typeof SHOWN)[number][0];

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

function EventMarkets({ event, onDone }: { event: CatalogEvent; onDone: () => void }) {
  return (
    <Table
      label={`Markets of ${event.title}`}
      rows={event.markets}
      keyOf={({ id }) => id}
      empty="It has no market yet."
      columns={[
        ['Market', marketName],
        ['State', (market) => <MarketState market={market} />],
        ['Bid', ({ bestBid }) => cents(bestBid ?? Number.NaN), 'number'],
        ['Ask', ({ bestAsk }) => cents(bestAsk ?? Number.NaN), 'number'],
        ['Volume, units', ({ volumeNum }) => short(volumeNum ?? 0), 'number', 'minor'],
        ['Condition id', 'conditionId', 'id', 'minor'],
        [
          'Actions',
          (market) => (
            <Writes
              isFolded
              writes={marketWrites(market)}
              subject={marketName(market)}
              onDone={onDone}
            />
          ),
        ],
      ]}
    />
  );
}

function EventView({ id }: { id: string }) {
  const event = useAnswer('/events/{id}', { params: { id }, auth: 'operator' });
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
          <Writes writes={eventWrites(one)} onDone={event.reload} />
          <EventMarkets event={one} onDone={event.reload} />
        </div>
      )}
    </Loaded>
  );
}

/** The events that end or have ended, all or those in whose titles the words are. */
async function listEvents(isEnded: boolean, limit: number, words: string, signal: AbortSignal) {
  const shared = { method: 'GET', auth: 'operator', signal } as const;
  if (words === '') {
    const query = { limit, closed: isEnded };
    return send({ ...shared, path: '/events/pagination', query });
  }
  const events_status = isEnded ? 'closed' : 'active';
  const query = { q: words, limit_per_type: limit, events_status, search_tags: false };
  const { events, pagination } = await send({ ...shared, path: '/public-search', query });
  return { data: events, pagination };
}

const COLUMNS: readonly ColumnTerms<CatalogEvent>[] = [
  ['Event', ({ id, title }) => <a href={linkTo(['markets', id])}>{title}</a>],
  ['Markets', ({ markets }) => markets.length, 'number'],
  ['Kind', ({ negRisk }) => (negRisk ? 'neg-risk' : 'separate'), 'text', 'minor'],
  ['Volume, units', ({ volume }) => short(volume ?? 0), 'number', 'minor'],
  ['Ends', 'endDate', 'moment', 'minor'],
];

function EventList() {
  const search = useSignal(place.peek().query.get('q') ?? '');
  const shown = useSignal<Shown>('open');
  const limit = useSignal(PAGE);
  const words = search.value.trim();
  const isEnded = shown.value === 'closed';
  const events = useResource(
    (signal) => listEvents(isEnded, limit.value, words, signal),
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
          onChange={setter(shown)}
        />
      </div>
      <Loaded resource={events} lines={8}>
        {({ data, pagination: { hasMore, totalResults } }) => (
          <>
            <Table
              label="Events"
              rows={data}
              keyOf={({ id }) => id}
              empty="No event matches."
              columns={COLUMNS}
            />
            {hasMore && limit.value >= MOST && (
              <p class="muted">
                These are the first {MOST} of {totalResults}. Search for the others.
              </p>
            )}
            {hasMore && limit.value < MOST && (
              <button
                type="button"
                onClick={() => {
                  limit.value += PAGE;
                }}
              >
                Show more of {totalResults}
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
