/**
 * The crowd of a sandbox: simulated participants that keep books alive. Makers quote around a fair
 * value, noise traders trade at random, informed traders know the news first.
 *
 * Invariant: its orders are signed and go through the intake as every client's; without an audience
 * it writes nothing but the first quotes of each book.
 * Bound: `crowdPace` orders and cancels a second, `CROWD_MARKETS` markets, and in each market
 * `levels` orders a side of one or two makers and two orders of noise traders.
 */

export { CHARACTERS, CrowdModes } from './characters.ts';
export { Crowd } from './crowd.ts';
export type { AudienceSource } from './fair-values.ts';
export { CROWD_MARKETS } from './floor.ts';
export { ROLES } from './roster.ts';
