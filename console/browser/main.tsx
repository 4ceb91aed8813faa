/** The console of the public listener. */
import type { ComponentType } from 'preact';
import { render } from 'preact';
import { facts, IdentityMenu, JoinPage, startIdentity, startOwnChannel } from './identity/index.ts';
import { Empty, lazy, Page, place } from './kit/index.ts';
import { MarketsPage } from './markets/index.ts';

interface Area {
  /** The first segment of its address. */
  readonly segment: string;
  /** Its name in the navigation; absent for pages that others link to. */
  readonly text?: string;
  /** The segment of the area in whose name the navigation shows it; its own by default. */
  readonly within?: string;
  /** Whether the navigation has it; absent for always. */
  readonly isShown?: () => boolean;
  readonly component: ComponentType;
}

/** The pages. Those that are not shown first are loaded when somebody opens them. */
const AREAS: readonly Area[] = [
  { segment: 'markets', text: 'Markets', component: MarketsPage },
  {
    ...{ segment: 'event', within: 'markets' },
    component: lazy(async () => (await import('./market/index.ts')).EventPage),
  },
  {
    ...{ segment: 'market', within: 'markets' },
    component: lazy(async () => (await import('./market/index.ts')).MarketPage),
  },
  {
    ...{ segment: 'portfolio', text: 'Portfolio' },
    component: lazy(async () => (await import('./portfolio/index.ts')).PortfolioPage),
  },
  { segment: 'join', component: JoinPage },
  {
    ...{ segment: 'leaderboard', text: 'Leaderboard' },
    component: lazy(async () => (await import('./portfolio/index.ts')).LeaderboardPage),
  },
  {
    ...{ segment: 'explorer', text: 'Developer' },
    component: lazy(async () => (await import('./explorer/index.ts')).ExplorerPage),
  },
  {
    ...{ segment: 'requests', within: 'explorer' },
    component: lazy(async () => (await import('./inspector/index.ts')).RequestsPage),
  },
  {
    ...{ segment: 'streams', within: 'explorer' },
    component: lazy(async () => (await import('./inspector/index.ts')).StreamsPage),
  },
  {
    ...{ segment: 'sandbox', text: 'Sandbox' },
    isShown: () => facts.value?.faucet !== 'off',
    component: lazy(async () => (await import('./sandbox/index.ts')).PublicSandboxPage),
  },
];

function Unknown() {
  return (
    <Empty>
      There is no such page. <a href="#/">Go to the markets</a>
    </Empty>
  );
}

function Console() {
  const [segment = 'markets'] = place.value.segments;
  const area = AREAS.find((one) => one.segment === segment);
  const Area = area?.component ?? Unknown;
  const places = AREAS.flatMap(({ segment, text, isShown = () => true }) =>
    text === undefined || !isShown() ? [] : [[segment, text] as const],
  );
  return (
    <Page
      name="outcome-exchange"
      places={places}
      here={area?.within ?? segment}
      aside={<IdentityMenu />}
    >
      <Area />
    </Page>
  );
}

startIdentity();
startOwnChannel();
render(<Console />, document.body);
