/** The console of the public listener. */
import { render } from 'preact';
import { facts, IdentityMenu, JoinPage, startIdentity, startOwnChannel } from './identity/index.ts';
import { type Area, lazy, Page } from './kit/index.ts';
import { MarketsPage } from './markets/index.ts';

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

startIdentity();
startOwnChannel();
render(<Page name="outcome-exchange" areas={AREAS} aside={<IdentityMenu />} />, document.body);
