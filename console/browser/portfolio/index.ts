/**
 * The portfolio: what an account holds, its open orders, fills, activity and balance over time; and
 * the moves between cash and tokens: split, merge, redeem, convert. And who won most.
 *
 * Invariant: only the portfolio of the account that is signed in has actions. Amounts are whole
 * numbers until they are shown. Bound: `PORTFOLIO_BOUNDS`.
 */
export { LeaderboardPage } from './leaderboard-page.tsx';
export { PortfolioPage } from './portfolio-page.tsx';
