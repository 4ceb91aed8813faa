/** One event: what it is about, and its outcomes as one table. */
import { ONE_TICKS } from '../decimal/index.ts';
import {
  cents,
  Day,
  Figure,
  Loaded,
  linkTo,
  Picture,
  place,
  Table,
  useAnswer,
  useTitle,
} from '../kit/index.ts';
import {
  eventRowOf,
  type MarketRow,
  priceColumns,
  stepsOf,
  useHistories,
  useLiveMarkets,
  Volume,
} from '../markets/index.ts';
import type { MarketView } from '../streams/market-feed.ts';
import type { CatalogEvent } from '../wire/index.ts';
import { MOST_LINES, PriceChart } from './price-chart.tsx';

/** Volumes change; prices are live. */
const REFRESH_MS = 30_000;
const SERIES_EVENTS = 12;

/** Leads to the ticket of a market, with the outcome chosen. */
function Buy({ market, view }: { market: MarketRow; view: MarketView | undefined }) {
  if (market.isClosed) return null;
  void view?.changes.value;
  const asks = [0, 1].map((outcome) => view?.book.best(outcome === 0 ? 0 : 1, 'ask'));
  return (
    <span class="buys">
      {market.outcomes.map((name, outcome) => {
        const ticks = asks[outcome];
        return (
          <a
            key={name}
            class={`button ${outcome === 0 ? 'buy-text' : 'sell-text'}`}
            href={linkTo(['market', market.conditionId], { outcome: `${outcome}` })}
          >
            Buy {name} {ticks !== undefined && <b>{cents(ticks / ONE_TICKS)}</b>}
          </a>
        );
      })}
    </span>
  );
}

/** The outcomes that are likeliest, as lines of one chart. */
function Leaders({ markets, views }: { markets: readonly MarketRow[]; views: Views }) {
  const leaders = markets
    .filter(({ isClosed, tokenIds: [yes] }) => !isClosed && yes !== '')
    .slice(0, MOST_LINES);
  if (leaders.length === 0) return null;
  const lines = leaders.map(({ conditionId, tokenIds: [tokenId], label }) => ({
    ...{ tokenId, name: label, outcome: 0 as const },
    view: views.get(conditionId),
  }));
  return (
    <section class="panel chart" aria-label="Prices">
      <PriceChart lines={lines} />
    </section>
  );
}

type Views = ReadonlyMap<string, MarketView>;

function Outcomes({ markets }: { markets: readonly MarketRow[] }) {
  const histories = useHistories(markets);
  const views = useLiveMarkets(markets);
  const sources = { views: views.value, histories: histories.value };
  return (
    <>
      <Leaders markets={markets} views={views.value} />
      <section class="panel">
        <h2>Outcomes</h2>
        <OutcomeTable markets={stepsOf(markets)} sources={sources} />
      </section>
    </>
  );
}

interface OutcomeTableProps {
  readonly markets: readonly MarketRow[];
  readonly sources: Parameters<typeof priceColumns>[1];
}

function OutcomeTable({ markets, sources }: OutcomeTableProps) {
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
        ...priceColumns((market: MarketRow) => market, sources, 'short'),
        ['Buy', (market) => <Buy market={market} view={sources.views.get(market.conditionId)} />],
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
                      ends <Day timeMs={event.endMs} />
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
        <Figure name="24 h volume">
          <Volume amount={dayVolume} />
        </Figure>
        <Figure name="Volume">
          <Volume amount={volume} />
        </Figure>
        <Figure name="Orders in the books">
          <Volume amount={event.liquidity ?? 0} />
        </Figure>
        {endMs !== undefined && (
          <Figure name={isClosed ? 'Ended' : 'Ends'}>
            <Day timeMs={endMs} />
          </Figure>
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
            <Outcomes markets={eventRowOf(known).markets} />
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
