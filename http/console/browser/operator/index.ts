/**
 * The operator's pages: markets, accounts, money, the log of actions, and the health of the
 * exchange.
 *
 * Invariant: nothing is asked before a token was accepted, and every write names its reason.
 */
export { HealthPage } from './health-page.tsx';
export { SignIn } from './sign-in.tsx';
export { operator, signOut } from './token.ts';
