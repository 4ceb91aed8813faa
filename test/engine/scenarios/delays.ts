/** Scenarios of delayed orders: the market's delay is set after its book is drawn. */
import type { Scenario } from './scenario.ts';

/** bob offers at cat's price; dan bids below. */
export const BOOK = `
      bid    | price | ask
             | 5100  | bob 10
      dan 10 | 4900  |`;
/** The fill of cat's order if nothing happens to it. */
export const FILLS = [
  'cat released',
  'transfer 5: cat BUY YES 5100, bob SELL YES 5100 (0)',
  'ask 5100: 5',
  'cat matched, filled 5 for 25500',
];
/** The book after that fill. */
export const FILLED = `
      bid    | price | ask
             | 5100  | bob 5
      dan 10 | 4900  |`;

/** Runs a scenario in a market with a delay of 250 ms. */
export function delaying(scenario: Scenario): Scenario {
  const mode = scenario.selfTrade ?? 'cancel_maker';
  const changed = `first market ticks 100, least 1/1, ${mode}, delays 0 s 250 ms`;
  return {
    ...scenario,
    when: ['the first market delays by 250 ms', ...scenario.when],
    happens: [changed, ...scenario.happens],
  };
}
