/**
 * The explorer: any command, order, trade, account and market, with what was signed and links
 * between them, each amount as a whole number and as a decimal; and the balance of an account over
 * time. Reads threads answer; handlers only format. Invariant: other owners' data is shown to
 * operators, and to everybody only in the sandbox.
 */
import { ApiError } from '../errors/index.ts';
import { HIDDEN_KEY } from '../format/index.ts';
import type { Route, Services } from '../services/index.ts';
import { getExplorerAccount } from './accounts.ts';
import { getExplorerBalances } from './balances.ts';
import { getExplorerCommand, getExplorerCommands } from './commands.ts';
import { getExplorerMarket } from './markets.ts';
import { getExplorerOrder, getExplorerTrade } from './orders.ts';

export * from './balances.ts';
export * from './schemas.ts';
export * from './signed.ts';

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
  needs: [...(route.needs ?? []), 'settings'],
  handler: async (input) => {
    // Safe: the route needs them.
    const { settings } = input.services as Pick<Services, 'settings'>;
    if (settings.explorer === 'operators') throw new ApiError('explorer_closed');
    return withoutKeys(await route.handler({ ...input, caller: undefined }));
  },
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
