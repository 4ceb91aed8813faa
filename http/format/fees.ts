/**
 * The fee schedule of a market (wire 1.4): the fee of a token at price p is the rate times (p(1-p))
 * to the power of the exponent.
 *
 * Invariant: an order that is accepted now is charged these fees. Clients compute with them before
 * they sign.
 */
import { type Static, Type } from 'typebox';
import type { FeeSchedule } from '../../engine/index.ts';

/** The taker's rate, the exponent and "taker only", in the clients' short keys. */
export const FeeDetails = Type.Object({
  r: Type.Number(),
  e: Type.Number(),
  to: Type.Boolean(),
});

export const FeeRate = Type.Object({
  base_fee: Type.Number({ description: 'Taker fee, in basis points' }),
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

/** The fees of a request that names no market. */
export const NO_FEES: FeeSchedule = { takerFeeBps: 0, makerFeeBps: 0, feeExponent: 0 };

const BPS_PER_ONE = 10_000;

export function formatFeeDetails(fees: FeeSchedule): Static<typeof FeeDetails> {
  return {
    r: fees.takerFeeBps / BPS_PER_ONE,
    e: fees.feeExponent,
    to: fees.makerFeeBps === 0,
  };
}

export function formatFeeRate(fees: FeeSchedule): Static<typeof FeeRate> {
  const fd = formatFeeDetails(fees);
  return {
    base_fee: fees.takerFeeBps,
    fd,
    fee_schedule: {
      rate: fd.r,
      exponent: fd.e,
      takerOnly: fd.to,
      rebateRate: 0,
      category: '',
      version: 1,
      source: 'local',
    },
  };
}
