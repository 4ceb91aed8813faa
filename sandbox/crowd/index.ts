/**
 * The crowd of a sandbox: simulated participants that keep books alive. Makers keep books in the
 * shape of real ones around a fair value, noise traders carry out large orders in small ones,
 * informed traders know the news first.
 *
 * Invariant: its orders are signed and go through the intake as every client's; without an audience
 * it writes nothing but the first quotes of each book.
 * Bound: `crowdPace` orders and cancels a second, `CROWD_MARKETS` markets, and in each market the
 * resting orders of one maker.
 */

export { CHARACTERS, CrowdModes } from './characters.ts';
export { Crowd } from './crowd.ts';
export { Desk } from './desk.ts';
export { CROWD_MARKETS } from './floor.ts';
export { makePast, type PastParts, pastEnd, pastMs } from './past.ts';
export { ROLES } from './roster.ts';
