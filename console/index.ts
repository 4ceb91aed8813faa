/**
 * The console: pages at `/ui/` on which a person watches markets, trades, looks into the journal
 * and, on the operator's listener, runs the venue. This room serves the files, and the facts about
 * this exchange that a page needs; the pages are in `browser/`, and .ci/console.mjs builds them
 * into `built/`.
 *
 * Invariant: a page loads nothing from another origin and contains no secret. A private key, and
 * the permission to ask for one, are given only on this machine and for play money.
 */
import type { Plot } from '../http/services/index.ts';

export type { ExchangeFacts, factsRoute } from './facts.ts';

export const consolePlot: Plot = {
  name: 'console',
  load: async () => (await import('./routes.ts')).CONSOLE,
};
