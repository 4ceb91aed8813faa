/**
 * The operator's pages: markets, accounts, money, content, backups, the log of actions, and the
 * health of the exchange.
 *
 * Invariant: nothing is asked before a token was accepted, and every write names its reason.
 */
export { AccountsPage } from './accounts-page.tsx';
export { BackupsPage } from './backups-page.tsx';
export { ContentPage } from './content-page.tsx';
export { EventsPage } from './events-page.tsx';
export { HealthPage } from './health-page.tsx';
export { LogPage } from './log-page.tsx';
export { operator, SignIn, signOut } from './token.tsx';
