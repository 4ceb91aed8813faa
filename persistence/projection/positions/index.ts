/**
 * What accounts hold, paid and won: the tables `positions`, `activities`, `market_states` and
 * `account_totals` of analytics.db. Invariant: `realized = received - paid + cost - fees` of every
 * position, in whole micros; formulas.md has all formulas with worked examples.
 */
export { PositionLedger } from './ledger.ts';
export { dayAt, firstDayOf, type Periods, periodsAt } from './periods.ts';
