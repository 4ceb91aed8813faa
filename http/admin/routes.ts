/** The table of all endpoints of the operator's listener. */

import { openApiRoute } from '../documentation/index.ts';
import { getHealthz, getMetrics, getReadyz } from '../routes/system/index.ts';
import type { Route } from '../services/index.ts';
import {
  deleteKey,
  getAccount,
  getBuilders,
  getOwner,
  MOVE_ROUTES,
  postAccounts,
  postBuilder,
  postDeposits,
  postStanding,
  postWithdrawals,
} from './accounts/index.ts';
import {
  CATALOG_EDIT_ROUTES,
  getCatalogActions,
  getReported,
  postModeration,
  postProfileClear,
} from './catalog/index.ts';
import { getActions } from './get-actions.ts';
import { getAudit } from './get-audit.ts';
import {
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

export const OPERATOR_ROUTES: readonly Route[] = [
  postDeposits,
  postWithdrawals,
  postAccounts,
  getAccount,
  ...MOVE_ROUTES,
  postStanding,
  getOwner,
  deleteKey,
  postExchangeState,
  postMarketState,
  postTerms,
  postBuilder,
  getBuilders,
  postOpen,
  postClose,
  postResolve,
  postNewEvent,
  postNewMarket,
  postEventOpen,
  postEventResolve,
  ...CATALOG_EDIT_ROUTES,
  postModeration,
  getReported,
  postProfileClear,
  getActions,
  getCatalogActions,
  getAudit,
  getHealthz,
  getReadyz,
  getMetrics,
  openApiRoute('operator', () => OPERATOR_ROUTES),
];
