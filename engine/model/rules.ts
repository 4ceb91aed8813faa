/**
 * What the engine does with a command, as a number. A change that older programs would replay
 * differently is a new number; a journal of older rules is raised to these when it is opened,
 * because what is written from then on is theirs. Invariant: what an older number wrote replays as
 * it ran.
 * 2: purposes and revocations of keys, dead man's switches, dismissals, builder codes.
 * 3: trading states, changed terms, closing, standings, sets, resolution, redemption, neg-risk
 * events.
 * 4: fees and what builders earn, delays, price steps that become finer by themselves.
 */
export const RULES_VERSION = 4;
