/** The kinds of faults that act on a market when an order arrives. */
import { Type } from 'typebox';
import { FAULT_BOUNDS } from './bounds.ts';
import { defineFaultKind, type FaultKind } from './kind.ts';

/** Parameters of all of them. */
const TRIGGER = {
  when: Type.Enum(['before', 'after'], {
    default: 'before',
    description:
      'before: the market changes before the order that fires the fault is sequenced; after: ' +
      'when the order is durable, before it is answered',
  }),
} as const;

export const TICK_SIZE_CHANGE = defineFaultKind({
  name: 'tick_size_change',
  summary: "The operator changes the price step of an order's market while the order arrives",
  site: 'request',
  parameters: {
    ...TRIGGER,
    tick_size: Type.Enum(['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'], {
      description: 'The new price step',
    }),
  },
  defaultCount: 1,
});

export const PAUSE_MARKET = defineFaultKind({
  name: 'pause_market',
  summary: "The operator pauses an order's market while the order arrives",
  site: 'request',
  parameters: {
    ...TRIGGER,
    market_state: Type.Enum(['cancel_only', 'halted'], {
      default: 'cancel_only',
      description: 'The `state` of POST /markets/{condition_id}/state',
    }),
    resume_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: FAULT_BOUNDS.seconds,
        description:
          "When the market is opened again, by the exchange's clock, or as soon as the fault is " +
          'removed; without it the operator opens it',
      }),
    ),
  },
  defaultCount: 1,
});

export const RESOLVE_MARKET = defineFaultKind({
  name: 'resolve_market',
  summary: "The operator resolves an order's market while the order arrives",
  site: 'request',
  parameters: {
    ...TRIGGER,
    payout: Type.String({
      pattern: '^(0(\\.[0-9]{1,4})?|1(\\.0{1,4})?)$',
      default: '1',
      description: 'What a YES token pays, as in POST /markets/{condition_id}/resolve',
    }),
  },
  defaultCount: 1,
});

export const MARKET_FAULT_KINDS: readonly FaultKind[] = [
  TICK_SIZE_CHANGE,
  PAUSE_MARKET,
  RESOLVE_MARKET,
];
