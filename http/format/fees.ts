/**
 * The fee schedule as the wire tells it (wire 1.4): a token at price p is charged the rate times
 * (p(1-p)) to the power of the exponent.
 *
 * Invariant: what is told is what an order is charged that is accepted now. Clients reckon with it
 * before they sign.
 */
import { type Static, Type } from 'typebox';
import type { FeeSchedule } from '../../engine/index.ts';

/** The taker's rate, exponent and "taker only", in the compact spelling of the clients. */
export const FeeDetails = Type.Object({
  r: Type.Number(),
  e: Type.Number(),
  to: Type.Boolean(),
});

export const FeeRate = Type.Object({
  base_fee: Type.Number({ description: 'Of the taker, in basis points' }),
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

/** What is told of fees where no market is meant. */
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
