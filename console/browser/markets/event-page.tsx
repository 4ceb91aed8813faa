/** One event: what it is about, and its outcomes as one table. */
import {
  Loaded,
  linkTo,
  Moment,
  Picture,
  place,
  Table,
  useAnswer,
  useTitle,
} from '../kit/index.ts';
import type { CatalogEvent } from '../wire/index.ts';
import { useHistories } from './histories.ts';
import { useLiveMarkets } from './live-prices.ts';
import { eventRowOf, type MarketRow } from './market-row.ts';
import { priceColumns, Volume } from './price-columns.tsx';

/** Volumes change; prices are live. */
const REFRESH_MS = 30_000;
const SERIES_EVENTS = 12;

function Outcomes({ markets }: { markets: readonly MarketRow[] }) {
  const histories = useHistories(markets);
  const views = useLiveMarkets(markets);
  const sources = { views: views.value, histories: histories.value };
  return (
    <Table
      label="Outcomes"
      rows={markets}
      keyOf={({ conditionId }) => conditionId}
      columns={[
        [
          'Outcome',
          ({ conditionId, label, outcome, isClosed }) => (
            <span class="event">
              <span>
                <a href={linkTo(['market', conditionId])}>{label}</a>{' '}
                {outcome !== 'Yes' && <span class="leader">{outcome}</span>}{' '}
                {isClosed && <span class="badge">closed</span>}
              </span>
            </span>
          ),
        ],
        ...priceColumns((market: MarketRow) => market, sources),
        ['24 h volume', ({ dayVolume }) => <Volume amount={dayVolume} />, 'number', 'minor'],
        ['Volume', ({ volume }) => <Volume amount={volume} />, 'number', 'minor'],
      ]}
      empty="This event has no market yet."
    />
  );
}

/** Other open events of a series, those that end first. */
function Series({ series, slug }: { series: CatalogEvent['series'][number]; slug: string }) {
  const order = { order: 'endDate', ascending: true };
  const query = { series_slug: series.slug, closed: false, limit: SERIES_EVENTS, ...order };
  const events = useAnswer('/events/pagination', { query });
  return (
    <section class="panel">
      <h2>{series.title}</h2>
      <Loaded resource={events}>
        {({ data }) => {
          const others = data.map(eventRowOf).filter((event) => event.slug !== slug);
          if (others.length === 0) return <p class="muted">It has no other open event.</p>;
          return (
            <ul class="series">
              {others.map((event) => (
                <li key={event.slug} class="row apart">
                  <a href={linkTo(['event', event.slug])}>{event.title}</a>
                  {event.endMs !== undefined && (
                    <span class="muted">
                      ends <Moment timeMs={event.endMs} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function Header({ event }: { event: CatalogEvent }) {
  const { title, picture, endMs, isClosed, dayVolume, volume } = eventRowOf(event);
  useTitle(title);
  return (
    <header class="panel stack">
      <div class="heading">
        <Picture path={picture} size={56} />
        <div>
          <h1>{title}</h1>
          <div class="row">
            {isClosed && <span class="badge">closed</span>}
            {event.negRisk && <span class="badge">one winner</span>}
            {event.tags.map(({ slug, label }) => (
              <a key={slug} href={linkTo(['markets'], { tag: slug })}>
                {label}
              </a>
            ))}
          </div>
        </div>
      </div>
      <dl class="figures">
        <div>
          <dt>24 h volume</dt>
          <dd>
            <Volume amount={dayVolume} />
          </dd>
        </div>
        <div>
          <dt>Volume</dt>
          <dd>
            <Volume amount={volume} />
          </dd>
        </div>
        <div>
          <dt>Orders in the books</dt>
          <dd>
            <Volume amount={event.liquidity ?? 0} />
          </dd>
        </div>
        {endMs !== undefined && (
          <div>
            <dt>{isClosed ? 'Ended' : 'Ends'}</dt>
            <dd>
              <Moment timeMs={endMs} />
            </dd>
          </div>
        )}
      </dl>
    </header>
  );
}

export function EventPage() {
  const [, slug = ''] = place.value.segments;
  useTitle('Event');
  const event = useAnswer('/events/slug/{slug}', { params: { slug } }, { everyMs: REFRESH_MS });
  return (
    <Loaded resource={event} lines={8}>
      {(known) => {
        const [series] = known.series;
        return (
          <div class="stack markets">
            <Header event={known} />
            <section class="panel">
              <h2>Outcomes</h2>
              <Outcomes markets={eventRowOf(known).markets} />
            </section>
            {known.description !== '' && (
              <section class="panel">
                <h2>About this event</h2>
                <p class="text">{known.description}</p>
                {known.resolutionSource !== '' && (
                  <p class="muted">Source of the result: {known.resolutionSource}</p>
                )}
              </section>
            )}
            {series !== undefined && <Series series={series} slug={known.slug} />}
          </div>
        );
      }}
    </Loaded>
  );
}
