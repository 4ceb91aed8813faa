import { type Static, Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { builderCodeIn, OrNull, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn, type BuilderEntry } from '../../views/index.ts';
import { actionRoute } from '../shared/action-route.ts';

const BUILDER_TERMS = {
  account: Text('The account that is paid; it must be open'),
  fee_share_bps: Type.Integer({
    minimum: 0,
    maximum: 5_000,
    description:
      'Its share of the fees on its orders, which are raised so that the market gets no less',
  }),
  taker_rate_bps: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'Additional fee, as a rate on the cash that its orders trade as takers',
  }),
  maker_rate_bps: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Additional fee, as a rate on the cash that its orders trade as makers',
  }),
} as const;

const Builder = Type.Object({
  builder_code: Text('0x and 64 hex digits'),
  ...BUILDER_TERMS,
});

function formatBuilder(builder: BuilderEntry): Static<typeof Builder> {
  return {
    builder_code: builder.builder,
    account: builder.account,
    fee_share_bps: builder.shareBps,
    taker_rate_bps: builder.takerRateBps,
    maker_rate_bps: builder.makerRateBps,
  };
}

/** GET /builders: the builder codes that were set, in the order in which they were first set. */
export const getBuilders = defineRoute({
  method: 'GET',
  path: '/builders',
  summary: 'What builder codes earn',
  auth: 'operator',
  query: Type.Object({
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.buildersPerPage, default: 100 }),
  }),
  response: Type.Object({
    data: Type.Array(Builder),
    next_offset: OrNull(Type.Integer(), '`offset` of the next page; null for none'),
  }),
  needs: ['registry'],
  handler: ({ query: { offset, limit }, services: { registry } }) => {
    const builders = [...registry.builders()];
    const end = offset + limit;
    const data = builders.slice(offset, end).map(formatBuilder);
    return { data, next_offset: end < builders.length ? end : null };
  },
});

/**
 * POST /builders/{builder_code}: sets what a builder earns on orders with its code, and the account
 * that is paid (wire 9.9). An order keeps the rates that were in force when it was accepted.
 */
export const postBuilder = actionRoute({
  path: '/builders/{builder_code}',
  summary: 'Set what a builder code earns, and the account that is paid',
  params: Type.Object({
    builder_code: Text('0x and 64 hex digits, or the 20-byte address that the code is made from'),
  }),
  body: BUILDER_TERMS,
  response: Builder.properties,
  commandOf: ({ params, body }) => ({
    kind: 'set_builder',
    builder: builderCodeIn('builder_code', params.builder_code),
    account: addressIn('account', body.account),
    shareBps: body.fee_share_bps,
    takerRateBps: body.taker_rate_bps,
    makerRateBps: body.maker_rate_bps,
  }),
  answerOf: (command) => formatBuilder(command),
});
