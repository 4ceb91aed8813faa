/** Limits of the terms of markets in the naive engine. */
import type { CreateMarket, RejectDetails } from '../../../engine/index.ts';
import { isWhole } from '../../../engine/index.ts';
import { DECIMAL, WORD } from './answers.ts';
import type { NaiveState } from './state.ts';

const MARKET_TICKS: readonly number[] = [1000, 100, 50, 25, 10, 1];

const SELF_TRADE_MODES: readonly string[] = ['cancel_maker', 'cancel_taker', 'cancel_both'];

export function marketFault(
  { bounds }: NaiveState,
  command: CreateMarket,
): RejectDetails | undefined {
  const { conditionId, tokenIds, tickTicks, minimumLots, minimumBudgetMicros } = command;
  const { eventId, selfTrade } = command;
  if (!WORD.test(conditionId)) return { field: 'conditionId', actual: conditionId };
  if (!tokenIds.every((tokenId) => DECIMAL.test(tokenId)) || tokenIds[0] === tokenIds[1]) {
    return { field: 'tokenIds', actual: tokenIds.join(',') };
  }
  if (!MARKET_TICKS.includes(tickTicks)) return { field: 'tickTicks', actual: tickTicks };
  if (!isWhole(minimumLots, 1, bounds.orderLots)) {
    return { field: 'minimumLots', actual: minimumLots };
  }
  if (!isWhole(minimumBudgetMicros, 1, bounds.amountMicros)) {
    return { field: 'minimumBudgetMicros', actual: minimumBudgetMicros };
  }
  if (eventId.length > 128) return { field: 'eventId', actual: eventId.length };
  if (!SELF_TRADE_MODES.includes(selfTrade)) return { field: 'selfTrade', actual: selfTrade };
  return chargeFault(command);
}

const MAXIMUMS = { takerFeeBps: 5_000, makerFeeBps: 5_000, feeExponent: 2, delaySeconds: 60 };

function chargeFault(terms: CreateMarket): RejectDetails | undefined {
  const { tickTicks, finerTickTicks: finer = 0 } = terms;
  for (const [name, most] of Object.entries({ ...MAXIMUMS, takerDelayMs: 60_000 })) {
    // Safe: the names are those above.
    const actual = terms[name as keyof typeof MAXIMUMS | 'takerDelayMs'] ?? 0;
    if (!isWhole(actual, 0, most)) return { field: name, limit: `0..${most}`, actual };
  }
  if (finer === 0) return undefined;
  const divides = MARKET_TICKS.includes(finer) && tickTicks > finer && tickTicks % finer === 0;
  return divides ? undefined : { field: 'finerTickTicks', limit: tickTicks, actual: finer };
}
