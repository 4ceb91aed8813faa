/** The page of one market, `#/market/CONDITION_ID`. */
import { computed, type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Empty, Loaded, place, setter, Tabs, useAnswer, useTitle } from '../kit/index.ts';
import type { FollowedMarket } from '../streams/market-stream.ts';
import { pageStreams } from '../streams/streams.ts';
import { rulesOf } from '../trading/draft.ts';
import { ExchangeError, type Market } from '../wire/index.ts';
import { BookPanel } from './book-panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { Comments } from './comments.tsx';
import { MarketHeader } from './market-header.tsx';
import { OwnBar } from './own-bar.tsx';
import { OwnOrders } from './own-orders.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import { TicketPanel } from './ticket-panel.tsx';
import { Ticket } from './ticket-state.ts';
import { TradesPanel } from './trades-panel.tsx';
import type { Desk } from './use-sending.ts';

const CONDITION_ID = /^0x[0-9a-f]{64}$/i;
/** Volume and state have no message of their own. */
const MARKET_EVERY_MS = 10_000;

type TabName = 'trades' | 'orders' | 'rules' | 'comments';
const TABS: readonly (readonly [TabName, string])[] = [
  ['trades', 'Trades'],
  ['orders', 'My orders'],
  ['rules', 'Rules and terms'],
  ['comments', 'Comments'],
];

/** A link to a market may choose the side and the outcome: `?side=SELL&outcome=1`. */
function fillFromAddress(ticket: Ticket): void {
  const { query } = place.peek();
  if (query.get('side') === 'SELL') ticket.chooseSide('SELL');
  if (query.get('outcome') === '1') ticket.chooseOutcome(1);
}

/** Follows the market as long as the page shows it. */
function useDesk(market: ReadonlySignal<Market>): Desk {
  const { conditionId } = market.peek();
  const [desk, followed] = useMemo((): [Desk, FollowedMarket] => {
    const first = rulesOf(market.peek());
    const follow = pageStreams().market.follow(first);
    const { view } = follow;
    const rules = computed(() => {
      const { tickTicks, minimumLots } = view.terms.value;
      const told = rulesOf(market.value);
      return tickTicks === 0 ? told : { ...told, tickTicks, minimumLots };
    });
    const ticket = new Ticket(rules, view);
    fillFromAddress(ticket);
    return [{ market, rules, view, ticket }, follow];
  }, [conditionId]);
  useEffect(() => () => followed.release(), [followed]);
  return desk;
}

function Below({ desk, chosen }: { desk: Desk; chosen: Signal<TabName> }) {
  return (
    <section class="panel" aria-label="More about this market">
      <Tabs
        label="More about this market"
        tabs={TABS}
        chosen={chosen.value}
        onChoose={setter(chosen)}
      >
        {chosen.value === 'trades' && <TradesPanel desk={desk} />}
        {chosen.value === 'orders' && <OwnOrders desk={desk} />}
        {chosen.value === 'rules' && <RulesPanel desk={desk} />}
        {chosen.value === 'comments' && <Comments eventId={desk.market.value.event.id} />}
      </Tabs>
    </section>
  );
}

function showTab(chosen: Signal<TabName>, tab: TabName): void {
  chosen.value = tab;
  document.querySelector('.market-below')?.scrollIntoView({ block: 'nearest' });
}

function MarketDesk({ market, reload }: { market: Market; reload: () => void }) {
  const newest = useSignal(market);
  const tab = useSignal<TabName>('trades');
  useEffect(() => {
    newest.value = market;
  }, [market, newest]);
  const desk = useDesk(newest);
  useTitle(market.question);
  useShortcuts(desk.ticket);
  // A resolution is told at once; the rest of it is fetched.
  const { winningTokenId } = desk.view.terms.value;
  useEffect(() => {
    if (winningTokenId !== undefined) reload();
  }, [winningTokenId, reload]);
  return (
    <div class="market">
      <MarketHeader desk={desk} />
      <div class="market-main">
        <ChartPanel desk={desk} />
        <BookPanel desk={desk} />
      </div>
      <TicketPanel desk={desk} />
      <div class="market-below">
        <Below desk={desk} chosen={tab} />
      </div>
      <OwnBar desk={desk} onOrders={() => showTab(tab, 'orders')} />
      <ShortcutHelp />
    </div>
  );
}

function NoMarket() {
  return (
    <Empty>
      There is no such market. <a href="#/markets">Go to the markets</a>
    </Empty>
  );
}

function KnownMarket({ id }: { id: string }) {
  const market = useAnswer('/markets/{id}', { params: { id } }, { everyMs: MARKET_EVERY_MS });
  const now = market.now.value;
  if (
    now.state === 'failed' &&
    now.failure instanceof ExchangeError &&
    now.failure.status === 404
  ) {
    return <NoMarket />;
  }
  return (
    <Loaded resource={market} lines={8}>
      {/* Safe: by a condition id, the answer has the forms of both APIs in one object. */}
      {(value) => <MarketDesk market={value as Market} reload={market.reload} />}
    </Loaded>
  );
}

export function MarketPage() {
  const [, id = ''] = place.value.segments;
  useTitle('Market');
  return CONDITION_ID.test(id) ? <KnownMarket key={id} id={id} /> : <NoMarket />;
}
