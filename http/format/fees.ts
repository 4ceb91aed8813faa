/**
 * The fee schedule as the wire tells it (wire 1.4). Invariant: no market takes a fee yet, so all
 * of it is zero; clients read it before they sign.
 */
import { Type } from 'typebox';

/** Rate, exponent and "taker only", in the compact spelling of the clients. */
export const FeeDetails = Type.Object({
  r: Type.Number(),
  e: Type.Number(),
  to: Type.Boolean(),
});

export const FeeRate = Type.Object({
  base_fee: Type.Number({ description: 'Basis points' }),
  fd: FeeDetails,
  fee_schedule: Type.Object({
    rate: Type.Number(),
    exponent: Type.Number(),
    takerOnly: Type.Boolean(),
    rebateRate: Type.Number(),
    category: Type.String(),
    version: Type.Integer(),
    source: Type.String(),
  }),
});

export const zeroFeeDetails = (): Type.Static<typeof FeeDetails> => ({ r: 0, e: 0, to: true });

export const zeroFeeRate = (): Type.Static<typeof FeeRate> => ({
  base_fee: 0,
  fd: zeroFeeDetails(),
  fee_schedule: {
    rate: 0,
    exponent: 0,
    takerOnly: true,
    rebateRate: 0,
    category: '',
    version: 1,
    source: 'local',
  },
});
