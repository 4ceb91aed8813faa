import { type Static, Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { BuilderEntry } from '../../views/index.ts';

/** What a builder code earns, and who is paid. */
export const BUILDER_FIELDS = {
  account: Type.String({ description: 'The account that is paid; it is open' }),
  fee_share_bps: Type.Integer({
    minimum: 0,
    maximum: 5_000,
    description: "Its share of the market's fees of its orders, which are raised by as much",
  }),
  taker_rate_bps: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'Of the cash that its orders trade as takers, on top',
  }),
  maker_rate_bps: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Of the cash that its orders trade as makers, on top',
  }),
} as const;

export const Builder = Type.Object({
  builder_code: Type.String({ description: '0x and 64 hex digits' }),
  ...BUILDER_FIELDS,
});

export function formatBuilder(builder: BuilderEntry): Static<typeof Builder> {
  return {
    builder_code: builder.builder,
    account: builder.account,
    fee_share_bps: builder.shareBps,
    taker_rate_bps: builder.takerRateBps,
    maker_rate_bps: builder.makerRateBps,
  };
}

/** GET /builders: builder codes that earn something, in the order in which they were set first. */
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
    next_offset: Type.Union([Type.Integer(), Type.Null()], {
      description: '`offset` of the next page; null for none',
    }),
  }),
  needs: ['registry'],
  handler: ({ query: { offset, limit }, services: { registry } }) => {
    const builders = [...registry.builders()];
    const end = offset + limit;
    const data = builders.slice(offset, end).map(formatBuilder);
    return { data, next_offset: end < builders.length ? end : null };
  },
});
