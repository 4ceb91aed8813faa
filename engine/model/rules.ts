/**
 * The version of the engine's rules. A change that an older program would replay differently gets a
 * new number, and a journal is raised to it when this program opens it, because all later commands
 * follow it. Invariant: commands that ran under an older version replay with the same events.
 *
 * 2: purposes and revocations of API keys, dead man's switches, dismissals, builder codes.
 * 3: trading states, changed terms, closing, standings, sets, resolution, redemption, neg-risk
 *    events.
 * 4: fees and builders' earnings, delays, price steps that become finer automatically.
 * 5: orders that name the builder who brought them.
 * 6: a neg-risk event never has more markets than it can be opened with, and markets of an event
 *    that can't be opened resolve one by one.
 * 7: bounds that empty and that leave room for others: accounts and play money that holders open,
 *    accounts and live orders of an owner, delayed orders of a market, the deposits that are not
 *    withdrawn, and idempotency keys that leave memory for the journal's index.
 * 8: `advance_time` works off what is due in steps, and an order meets resting orders in steps.
 * 9: a command that ends many orders, such as the closing of a market, ends them in steps.
 * 10: smaller steps, and an `advance_time` that did something else pays no automatic redemptions.
 */
export const RULES_VERSION = 10;
