/** The head of a market page: picture, question, prices, volume, end and state. */
import { ONE_TICKS } from '../decimal/index.ts';
import {
  cents,
  Day,
  Figure,
  LiveBadge,
  linkTo,
  Picture,
  pictureOf,
  shortCash,
} from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { centsText } from '../trading/units.ts';
import type { Market } from '../wire/index.ts';
import type { Desk } from './use-sending.ts';

/** Which token won: its place, or `even`; undefined while nobody knows. */
function winnerOf({ tokens, is_50_50_outcome: isEven }: Market): 0 | 1 | 'even' | undefined {
  if (isEven) return 'even';
  const place = tokens.findIndex(({ winner }) => winner);
  return place === 0 || place === 1 ? place : undefined;
}

function stateOf(market: Market): readonly [tone: string, text: string] {
  if (winnerOf(market) !== undefined) return ['good', 'resolved'];
  if (market.umaResolutionStatus === 'resolved') return ['good', 'resolved'];
  if (market.closed) return ['', 'closed'];
  if (!market.accepting_orders) return ['warn', 'paused'];
  return ['good', 'open'];
}

function Prices({ desk: { view, rules, market } }: { desk: Desk }) {
  void view.changes.value;
  const [bid, ask] = [view.book.best(0, 'bid'), view.book.best(0, 'ask')];
  const middle = bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
  const { tokens } = market.value;
  const textOf = (place: 0 | 1): string => {
    if (middle === undefined) return cents(tokens[place]?.price ?? Number.NaN);
    return centsText(place === 0 ? middle : ONE_TICKS - middle);
  };
  return (
    <>
      {rules.value.outcomes.map((name, place) => (
        <div key={place}>
          <dt>{name}</dt>
          <dd class={place === 0 ? 'buy-text' : 'sell-text'}>{textOf(place === 0 ? 0 : 1)}</dd>
        </div>
      ))}
    </>
  );
}

/** What a resolved market says, and where its tokens are redeemed. */
function Resolution({ desk: { market, rules } }: { desk: Desk }) {
  const winner = winnerOf(market.value);
  if (winner === undefined) return null;
  const { outcomes } = rules.value;
  return (
    <p class="resolution" role="status">
      <b>
        {winner === 'even'
          ? 'Resolved: both outcomes pay 50¢.'
          : `Resolved: ${outcomes[winner]} won and pays $1.`}
      </b>{' '}
      <a href={linkTo(['portfolio'])}>Redeem tokens in your portfolio</a>
    </p>
  );
}

export function MarketHeader({ desk }: { desk: Desk }) {
  const market = desk.market.value;
  const [tone, state] = stateOf(market);
  // The exchange writes "2026-06-03 01:12:06+00".
  const closedIso = market.closedTime?.replace(' ', 'T').replace(/\+00$/, 'Z');
  const endMs = Date.parse(closedIso ?? market.endDate ?? '');
  return (
    <header class="panel market-head">
      <Picture path={pictureOf(market.image || market.icon)} size={56} />
      <div class="market-title">
        <p class="row">
          <a href={linkTo(['event', market.event.slug])}>{market.event.title}</a>
          <span class={`badge ${tone}`}>{state}</span>
          <LiveBadge state={pageStreams().market.state.value} />
        </p>
        <h1>{market.question}</h1>
        <Resolution desk={desk} />
      </div>
      <dl class="figures">
        <Prices desk={desk} />
        <Figure name="Volume">{shortCash(market.volumeNum ?? 0)}</Figure>
        <Figure name="24 h" class="minor">
          {shortCash(market.volume24hr ?? 0)}
        </Figure>
        {Number.isFinite(endMs) && (
          <Figure name={closedIso === undefined ? 'Ends' : 'Ended'}>
            <Day timeMs={endMs} />
          </Figure>
        )}
      </dl>
    </header>
  );
}
