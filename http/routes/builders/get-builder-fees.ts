import { Type } from 'typebox';
import { builderCodeIn, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const Bps = Type.Integer({ description: 'Hundredths of a percent' });

/**
 * GET /fees/builder-fees/{code}: the fees that a builder earns on orders with its code (wire 1.4,
 * 9.9): rates on the cash traded, and its share of the market's fees. Zeros for an unknown code.
 */
export const getBuilderFees = defineRoute({
  method: 'GET',
  path: '/fees/builder-fees/{code}',
  summary: 'Fees of a builder',
  auth: 'none',
  params: Type.Object({
    code: Text('Builder code, 0x and 64 hex digits, or its 20-byte address'),
  }),
  response: Type.Object({
    builder_maker_fee_rate_bps: Bps,
    builder_taker_fee_rate_bps: Bps,
    builder_maker_flat_fee_bps: Bps,
    builder_taker_fee_share_bps: Bps,
  }),
  needs: ['registry'],
  handler: ({ params, services }) => {
    const builder = services.registry.builder(builderCodeIn('code', params.code));
    const { shareBps = 0, takerRateBps = 0, makerRateBps = 0 } = builder ?? {};
    return {
      builder_maker_fee_rate_bps: makerRateBps,
      builder_taker_fee_rate_bps: takerRateBps,
      builder_maker_flat_fee_bps: makerRateBps,
      builder_taker_fee_share_bps: shareBps,
    };
  },
});
