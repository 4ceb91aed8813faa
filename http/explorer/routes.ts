/**
 * The explorer on both listeners. On the operator's, a reader sees everything. On the public one it
 * is part of the sandbox, where money is play money: everybody may look at everything except API
 * keys, which are zeros. Elsewhere the public listener refuses it, so that nobody sees another's
 * orders (docs/decisions/0019-projections-replay-the-journal.md).
 *
 * Invariant: a public answer has no API key but HIDDEN_KEY.
 */
import { HIDDEN_KEY } from '../format/index.ts';
import type { Route } from '../services/index.ts';
import { getExplorerAccount } from './accounts.ts';
import { getExplorerBalances } from './balances.ts';
import { getExplorerCommand, getExplorerCommands } from './commands.ts';
import { getExplorerMarket } from './markets.ts';
import { getExplorerOrder, getExplorerTrade } from './orders.ts';

export const OPERATOR_EXPLORER_ROUTES = [
  getExplorerCommands,
  getExplorerCommand,
  getExplorerOrder,
  getExplorerTrade,
  getExplorerAccount,
  getExplorerBalances,
  getExplorerMarket,
] as const satisfies readonly Route[];

const ROUTES: readonly Route[] = OPERATOR_EXPLORER_ROUTES;

export const EXPLORER_ROUTES: readonly Route[] = ROUTES.map(({ role: _, ...route }) => ({
  ...route,
  auth: 'none',
  sandbox: true,
  handler: async (input) => withoutKeys(await route.handler({ ...input, caller: undefined })),
}));

function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'api_key' ? HIDDEN_KEY : withoutKeys(member),
    ]),
  );
}
