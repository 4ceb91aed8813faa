/** Scenarios in a market whose delay begins when its book is drawn: nobody waits before. */
import type { Scenario } from './drawn-scenarios.ts';

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
