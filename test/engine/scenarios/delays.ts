/** Scenarios in a market whose delay begins when its book is drawn: nobody waits before. */
import type { Scenario } from './scenario.ts';

/** bob sells where cat buys; dan buys below. */
export const BOOK = `
      bid    | price | ask
             | 5100  | bob 10
      dan 10 | 4900  |`;
/** What cat's order fills when nothing becomes of it. */
export const FILLS = [
  'cat released',
  'transfer 5: cat BUY YES 5100, bob SELL YES 5100 (0)',
  'ask 5100: 5',
  'cat matched, filled 5 for 25500',
];
/** And the book after it. */
export const FILLED = `
      bid    | price | ask
             | 5100  | bob 5
      dan 10 | 4900  |`;

/** The same with 250 ms. */
export function delaying(scenario: Scenario): Scenario {
  const mode = scenario.selfTrade ?? 'cancel_maker';
  const told = `first market ticks 100, least 1/1, ${mode}, delays 0 s 250 ms`;
  return {
    ...scenario,
    when: ['the first market delays by 250 ms', ...scenario.when],
    happens: [told, ...scenario.happens],
  };
}
