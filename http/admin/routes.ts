/** The table of all endpoints of the operator's listener. Plots add theirs. */

import type { RouteDefinition } from '../api/index.ts';
import { openApiRoute } from '../documentation/routes.ts';
import { OPERATOR_EXPLORER_ROUTES } from '../explorer/index.ts';
import { getHealthz, getMetrics, getReadyz } from '../routes/system/index.ts';
import { withRole } from '../services/index.ts';
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
import { getAudit, getOperators, PUBLIC_READS } from './get-audit.ts';
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

const OWN_ROUTES: readonly RouteDefinition[] = [
  ...withRole('money', postDeposits, postWithdrawals),
  ...withRole('accounts', postAccounts),
  ...withRole('reader', getAccounts, getAccount, getOpenOrders),
  ...withRole('money', ...MOVE_ROUTES),
  ...withRole('accounts', postStanding),
  ...withRole('reader', getOwner, getOwners),
  ...withRole('accounts', deleteKey, deleteOwnerOrders),
  ...withRole('markets', postExchangeState, postMarketState, postTerms),
  ...withRole('money', postBuilder),
  ...withRole('reader', getBuilders),
  ...withRole('markets', postOpen, postClose, postResolve, postNewEvent, postNewMarket),
  ...withRole('markets', postEventOpen, postEventResolve),
  ...withRole('catalog', ...CATALOG_EDIT_ROUTES, postModeration),
  ...withRole('reader', getReported),
  ...withRole('catalog', postProfileClear),
  ...withRole('reader', getOperators, getApprovals, getActions, getCatalogActions, getAudit),
  ...withRole('admin', ...BACKUP_WRITES, postSnapshot),
  ...withRole('reader', getBackups, getSnapshots),
  ...withRole('reader', ...PUBLIC_READS),
  ...OPERATOR_EXPLORER_ROUTES,
  getHealthz,
  getReadyz,
  ...withRole('metrics', getMetrics),
];

/** The routes of the operator's listener and `further` ones. One of them describes the table. */
export function operatorRoutes(further: readonly RouteDefinition[]): readonly RouteDefinition[] {
  const routes: readonly RouteDefinition[] = [
    ...OWN_ROUTES,
    ...withRole(
      'metrics',
      openApiRoute('operator', () => routes),
    ),
    ...further,
  ];
  return routes;
}
