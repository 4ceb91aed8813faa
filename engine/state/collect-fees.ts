/**
 * Takes the fees of a fill from the accounts of its two orders, on top of the price for a BUY and
 * out of the proceeds for a SELL, and gives them to the fee account and to builders. Invariant:
 * fees move between accounts; what is taken is given.
 */

import type { FillFees, Lots, Micros } from '../model/index.ts';
import type { Core } from './core.ts';
import type { OrderFees } from './order-fees.ts';

/** After its price was settled. undefined where neither order is charged anything. */
export function collectFees(core: Core, maker: number, size: Lots): FillFees | undefined {
  const { orders, taker } = core;
  const takerFees = taker.fees;
  const makerFees = feesOf(core, maker);
  if (takerFees === undefined && makerFees === undefined) return undefined;
  if (takerFees !== undefined) {
    core.ledger.pay(taker.account, takerFees.fillMicros);
    share(core, takerFees);
  }
  if (makerFees !== undefined) {
    const account = orders.account(maker);
    makerFees.charge(false, size, orders.priceTicks(maker));
    if (orders.isSell(maker)) core.ledger.pay(account, makerFees.fillMicros);
    else core.ledger.payHeld(account, makerFees.fillMicros);
    share(core, makerFees);
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

const NOTHING = 0 as Micros;

function share({ ledger, feeAccount }: Core, fees: OrderFees): void {
  const { fillMicros, fillBuilderMicros, schedule } = fees;
  ledger.receive(feeAccount, (fillMicros - fillBuilderMicros) as Micros); // whole micros
  if (fillBuilderMicros > 0) ledger.receive(schedule.builderAccount, fillBuilderMicros);
}

/** Of an order that was accepted; undefined for one that is charged nothing. */
export function feesOf({ orders, orderFees }: Core, handle: number): OrderFees | undefined {
  return orders.hasFees(handle) ? orderFees.get(handle) : undefined;
}
