// Requests of the example session to analytics routes, after trading and after the resolution of a
// market in which the taker had a position.
import type { Asked, Step, World } from './example-step.ts';
import { conditionId, yes } from './example-step.ts';

function byMarket(world: World): Asked {
  return { query: { market: [conditionId(world)] } };
}
function byTaker({ taker }: World): Asked {
  return { query: { user: taker.address } };
}

export const ANALYTICS_STEPS: readonly Step[] = [
  { route: 'GET /trades', ask: byTaker },
  { route: 'GET /activity', ask: byTaker },
  { route: 'GET /positions', ask: byTaker },
  { route: 'GET /closed-positions', ask: byTaker },
  { route: 'GET /value', ask: byTaker },
  { route: 'GET /traded', ask: byTaker },
  { route: 'GET /volume', ask: byTaker },
  {
    route: 'GET /holders',
    ask: (world) => ({ query: { market: [conditionId(world)], limit: 2 } }),
  },
  {
    route: 'GET /v1/market-positions',
    ask: (world) => ({ query: { market: conditionId(world), limit: 1 } }),
  },
  { route: 'GET /oi', ask: byMarket },
  { route: 'GET /live-volume', ask: byMarket },
  { route: 'GET /v2/trades', ask: byTaker },
  { route: 'GET /v2/activity', ask: byTaker },
  { route: 'GET /v2/activity/combos', ask: byTaker },
  { route: 'GET /v2/positions', ask: byTaker },
  { route: 'GET /v2/positions/combos', ask: byTaker },
  { route: 'GET /v2/value', ask: byTaker },
  { route: 'GET /v2/user-volume', ask: byTaker },
  {
    route: 'GET /v2/user-pnl',
    ask: ({ taker }) => ({ query: { user: taker.address, interval: '6h', fidelity: '3h' } }),
  },
  { route: 'GET /v2/user-stats', ask: byTaker },
  { route: 'GET /v2/oi', ask: (world) => ({ query: { condition: [conditionId(world)] } }) },
  { route: 'GET /v2/live-volume', ask: () => ({ query: { event_id: [1] } }) },
  {
    route: 'GET /v2/prices-history',
    ask: (world) => ({ query: { token_id: yes(world), interval: '1h', limit: 2 } }),
  },
  { route: 'GET /v2/leaderboard', ask: () => ({ query: { time_period: 'all', limit: 2 } }) },
  { route: 'GET /v2/builders/leaderboard', ask: () => ({ query: { time_period: 'all' } }) },
  { route: 'GET /v2/builders/volume', ask: () => ({ query: { interval: 'day' } }) },
  {
    route: 'GET /v2/biggest-winners',
    ask: () => ({ query: { time_period: 'all', limit: 2 } }),
  },
  {
    route: 'GET /v2/holders',
    ask: (world) => ({ query: { condition: [conditionId(world)], include_pnl: true, limit: 2 } }),
  },
  {
    route: 'GET /v2/resolutions',
    ask: (world) => ({ query: { condition: [conditionId(world)] } }),
  },
  { route: 'GET /v2/approvals', ask: byTaker },
  { route: 'GET /v2/status', ask: () => ({}) },
  { route: 'GET /v1/accounting/snapshot', ask: byTaker, show: () => 'PK...' },
  { route: 'GET /v1/leaderboard', ask: () => ({ query: { timePeriod: 'ALL', limit: 2 } }) },
  { route: 'GET /v1/builders/leaderboard', ask: () => ({ query: { timePeriod: 'ALL' } }) },
  { route: 'GET /v1/builders/volume', ask: () => ({ query: { timePeriod: 'ALL' } }) },
];
