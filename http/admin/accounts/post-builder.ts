import { Type } from 'typebox';
import { builderCodeIn } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';
import { BUILDER_FIELDS, Builder, formatBuilder } from './get-builders.ts';

/**
 * POST /builders/{builder_code}: says what a builder earns on orders that carry its code, and which
 * account is paid (wire 9.9). Orders go by what was in force when they were accepted.
 */
export const postBuilder = defineRoute({
  method: 'POST',
  path: '/builders/{builder_code}',
  summary: 'Say what a builder code earns, and who is paid',
  auth: 'operator',
  params: Type.Object({
    builder_code: Type.String({
      description: '0x and 64 hex digits, or the 20-byte address that it is made of',
    }),
  }),
  body: Type.Object({ ...BUILDER_FIELDS, ...WHO_AND_WHY }),
  response: Type.Object({ ...Builder.properties, duplicate: Duplicate }),
  needs: ['exchange'],
  handler: async ({ params, body, services }) => {
    const builder = {
      builder: builderCodeIn('builder_code', params.builder_code),
      account: addressIn('account', body.account),
      shareBps: body.fee_share_bps,
      takerRateBps: body.taker_rate_bps,
      makerRateBps: body.maker_rate_bps,
    };
    const { duplicate } = await act(services, { kind: 'set_builder', ...builder }, body);
    return { ...formatBuilder(builder), duplicate };
  },
});
