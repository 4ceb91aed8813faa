import { Type } from 'typebox';
import { ApiError } from '../errors.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import { echo } from '../schema-fault.ts';

const CODE = /^0x([0-9a-f]{64}|[0-9a-f]{40})$/i;

const Bps = Type.Integer({ description: 'Hundredths of a percent' });

/** GET /fees/builder-fees/{code}: what a builder charges, which is nothing yet (wire 1.4). */
export const getBuilderFees = defineRoute({
  method: 'GET',
  path: '/fees/builder-fees/{code}',
  summary: 'Fees of a builder',
  auth: 'none',
  params: Type.Object({
    code: Type.String({
      description: 'Builder code, 0x and 64 hex digits, or its 20-byte address',
    }),
  }),
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Object({
    builder_maker_fee_rate_bps: Bps,
    builder_taker_fee_rate_bps: Bps,
    builder_maker_flat_fee_bps: Bps,
    builder_taker_fee_share_bps: Bps,
  }),
  handler: ({ params }) => {
    const { code } = params;
    if (!CODE.test(code)) {
      const limit = '0x and 64 hex digits, or 40';
      throw new ApiError('invalid_parameter', { field: 'code', limit, actual: echo(code) });
    }
    return {
      builder_maker_fee_rate_bps: 0,
      builder_taker_fee_rate_bps: 0,
      builder_maker_flat_fee_bps: 0,
      builder_taker_fee_share_bps: 0,
    };
  },
});
