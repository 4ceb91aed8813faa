// Requests of the example session to the explorer, on both listeners, after the trading.
import { isJsonObject } from '../../../http/documentation/schema.ts';
import { type Asked, conditionId, noted, type Step, type World } from './example-step.ts';

const TRADE_SEQ = 'tradeSeq';
/** Not far enough in the past for a second step of the history. */
const WEEK = { interval: '1w', fidelity: 720 };

function byTaker({ taker }: World): Asked {
  return { params: { address: taker.address } };
}

function trade(world: World): Asked {
  return { params: { id: noted(world, 'tradeId') } };
}

function stepsOf(by: 'nobody' | 'operator'): readonly Step[] {
  return [
    {
      route: 'GET /explorer/trades/{id}',
      by,
      ask: trade,
      note: (response, { notes }) => {
        if (isJsonObject(response)) notes.set(TRADE_SEQ, `${response.seq}`);
      },
    },
    {
      route: 'GET /explorer/commands',
      by,
      ask: () => ({ query: { kind: 'place_order', limit: 1 } }),
    },
    {
      route: 'GET /explorer/commands/{seq}',
      by,
      ask: (world) => ({ params: { seq: noted(world, TRADE_SEQ) } }),
      // Whole, because a signed message without some of its types is another one.
      show: (response) => response,
    },
    {
      route: 'GET /explorer/orders/{id}',
      by,
      ask: (world) => ({ params: { id: noted(world, 'taken') } }),
    },
    { route: 'GET /explorer/accounts/{address}', by, ask: byTaker },
    {
      route: 'GET /explorer/accounts/{address}/balances',
      by,
      ask: (world) => ({ ...byTaker(world), query: WEEK }),
    },
    {
      route: 'GET /explorer/markets/{condition_id}',
      by,
      ask: (world) => ({ params: { condition_id: conditionId(world) } }),
    },
  ];
}

export const EXPLORER_STEPS: readonly Step[] = [
  { route: 'GET /balance-history', by: 'taker', ask: () => ({ query: WEEK }) },
  ...stepsOf('nobody'),
];
export const OPERATOR_EXPLORER_STEPS = stepsOf('operator');
