/**
 * Takes the fees of a fill from the accounts of its two orders and pays them to the fee account and
 * the builders. A BUY pays on top of its price, a SELL out of its proceeds. How much each order is
 * charged is computed in fees/order-fees.ts. Invariant: fees only move between accounts.
 */

import type { OrderFees } from '../fees/index.ts';
import type { FillFees, Lots, Micros } from '../model/index.ts';
import { type EngineState, feesOf } from '../state/index.ts';

const NOTHING = 0 as Micros;

/**
 * Called after `settle`, which moves the cash and tokens and computes the taker's charge. Returns
 * undefined if neither order is charged fees.
 */
export function collectFees(state: EngineState, maker: number, size: Lots): FillFees | undefined {
  const { orders, ledger, taker } = state;
  const takerFees = taker.fees;
  const makerFees = feesOf(state, maker);
  if (takerFees === undefined && makerFees === undefined) return undefined;
  if (takerFees !== undefined) {
    ledger.pay(taker.account, takerFees.fillMicros);
    distribute(state, takerFees);
  }
  if (makerFees !== undefined) {
    const account = orders.account(maker);
    makerFees.charge(false, size, orders.priceTicks(maker));
    if (orders.isSell(maker)) ledger.pay(account, makerFees.fillMicros);
    else ledger.payHeld(account, makerFees.fillMicros);
    distribute(state, makerFees);
  }
  return {
    takerMicros: takerFees?.fillMicros ?? NOTHING,
    makerMicros: makerFees?.fillMicros ?? NOTHING,
    takerBuilderMicros: takerFees?.fillBuilderMicros ?? NOTHING,
    makerBuilderMicros: makerFees?.fillBuilderMicros ?? NOTHING,
    takerFeeBps: takerFees?.schedule.takerFeeBps ?? 0,
    makerFeeBps: makerFees?.schedule.makerFeeBps ?? 0,
  };
}

function distribute({ ledger, feeAccount }: EngineState, fees: OrderFees): void {
  const { fillMicros, fillBuilderMicros, schedule } = fees;
  ledger.receive(feeAccount, (fillMicros - fillBuilderMicros) as Micros); // whole micros
  if (fillBuilderMicros > 0) ledger.receive(schedule.builderAccount, fillBuilderMicros);
}
