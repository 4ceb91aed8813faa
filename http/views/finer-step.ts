import type { TradingTerms } from '../../engine/model/index.ts';

/** Removes the market's finer price step if the new price step makes it invalid. */
export function finerFor(
  { finerTickTicks: finer }: Pick<TradingTerms, 'finerTickTicks'>,
  { tickTicks, finerTickTicks }: Partial<TradingTerms>,
): Partial<Pick<TradingTerms, 'finerTickTicks'>> {
  if (finer === 0 || tickTicks === undefined || finerTickTicks !== undefined) return {};
  return finer < tickTicks && tickTicks % finer === 0 ? {} : { finerTickTicks: 0 };
}
