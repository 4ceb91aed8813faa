/** The table of all endpoints of the operator's listener. */

import { OPERATOR_CONSOLE_ROUTES } from '../../console/index.ts';
import { SANDBOX_ACTIONS, SANDBOX_READS } from '../../sandbox/admin/index.ts';
import { openApiRoute } from '../documentation/index.ts';
import { OPERATOR_EXPLORER_ROUTES } from '../explorer/index.ts';
import type { OperatorRole } from '../operators/index.ts';
import { getHealthz, getMetrics, getReadyz } from '../routes/system/index.ts';
import type { Route } from '../services/index.ts';
import {
  deleteKey,
  deleteOwnerOrders,
  getAccount,
  getAccounts,
  getBuilders,
  getOpenOrders,
  getOwner,
  getOwners,
  MOVE_ROUTES,
  postAccounts,
  postBuilder,
  postDeposits,
  postStanding,
  postWithdrawals,
} from './accounts/index.ts';
import { BACKUP_WRITES, getBackups, getSnapshots, postSnapshot } from './backups/index.ts';
import {
  CATALOG_EDIT_ROUTES,
  getCatalogActions,
  getReported,
  postModeration,
  postProfileClear,
} from './catalog/index.ts';
import { getActions } from './get-actions.ts';
import { getAudit } from './get-audit.ts';
import { getOperators } from './get-operators.ts';
import {
  getApprovals,
  postClose,
  postEventOpen,
  postEventResolve,
  postExchangeState,
  postMarketState,
  postNewEvent,
  postNewMarket,
  postOpen,
  postResolve,
  postTerms,
} from './markets/index.ts';
import { PUBLIC_READS } from './public-reads.ts';

/** The routes of operators with a role. `permits` says what else a role includes. */
function routesOf(role: OperatorRole, ...routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => ({ ...route, role }));
}

export const OPERATOR_ROUTES: readonly Route[] = [
  ...routesOf('money', postDeposits, postWithdrawals),
  ...routesOf('accounts', postAccounts),
  ...routesOf('reader', getAccounts, getAccount, getOpenOrders),
  ...routesOf('money', ...MOVE_ROUTES),
  ...routesOf('accounts', postStanding),
  ...routesOf('reader', getOwner, getOwners),
  ...routesOf('accounts', deleteKey, deleteOwnerOrders),
  ...routesOf('markets', postExchangeState, postMarketState, postTerms),
  ...routesOf('money', postBuilder),
  ...routesOf('reader', getBuilders),
  ...routesOf('markets', postOpen, postClose, postResolve, postNewEvent, postNewMarket),
  ...routesOf('markets', postEventOpen, postEventResolve),
  ...routesOf('catalog', ...CATALOG_EDIT_ROUTES, postModeration),
  ...routesOf('reader', getReported),
  ...routesOf('catalog', postProfileClear),
  ...routesOf('reader', getOperators, getApprovals, getActions, getCatalogActions, getAudit),
  ...routesOf('admin', ...BACKUP_WRITES, postSnapshot),
  ...routesOf('reader', getBackups, getSnapshots),
  ...routesOf('markets', ...SANDBOX_ACTIONS),
  ...routesOf('reader', ...SANDBOX_READS, ...PUBLIC_READS),
  ...OPERATOR_EXPLORER_ROUTES,
  ...OPERATOR_CONSOLE_ROUTES,
  getHealthz,
  getReadyz,
  ...routesOf(
    'metrics',
    getMetrics,
    openApiRoute('operator', () => OPERATOR_ROUTES),
  ),
];
