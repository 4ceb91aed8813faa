/** Every endpoint of the operator's listener, in one table. */
import type { RouteDefinition } from '../route.ts';
import { getHealthz } from '../routes/get-healthz.ts';
import { getMetrics } from '../routes/get-metrics.ts';
import { openApiRoute } from '../routes/get-openapi.ts';
import { getReadyz } from '../routes/get-readyz.ts';
import { CATALOG_WORD_ROUTES } from './catalog-words.ts';
import { deleteKey } from './delete-key.ts';
import { getAccount } from './get-account.ts';
import { getActions } from './get-actions.ts';
import { getAudit } from './get-audit.ts';
import { getBuilders } from './get-builders.ts';
import { getOwner } from './get-owner.ts';
import { getCatalogActions, getReported, postModeration, postProfileClear } from './moderation.ts';
import { postAccounts } from './post-accounts.ts';
import { postBuilder } from './post-builder.ts';
import { postClose } from './post-close.ts';
import { postEventOpen, postEventResolve } from './post-events.ts';
import { postDeposits, postWithdrawals } from './post-money.ts';
import { postNewEvent, postNewMarket } from './post-new-events.ts';
import { postOpen } from './post-open.ts';
import { postResolve } from './post-resolve.ts';
import { postConvert, postMerge, postRedeem, postSplit } from './post-sets.ts';
import { postStanding } from './post-standing.ts';
import { postExchangeState, postMarketState } from './post-state.ts';
import { postTerms } from './post-terms.ts';

export const OPERATOR_ROUTES: readonly RouteDefinition[] = [
  postDeposits,
  postWithdrawals,
  postAccounts,
  getAccount,
  postSplit,
  postMerge,
  postRedeem,
  postConvert,
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
  ...CATALOG_WORD_ROUTES,
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
