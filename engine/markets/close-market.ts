/** Closing a market: it trades no more, for good. What it has become is told by its resolution. */

import type { CloseMarket } from '../model/index.ts';
import { CLOSED } from '../model/index.ts';
import { cancelMarket } from '../orders/index.ts';
import { type Core, reject } from '../state/index.ts';

/** One that is resolved is closed too. */
export function closeMarket(core: Core, { conditionId }: CloseMarket): void {
  const market = core.marketByCondition.get(conditionId);
  if (market === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (market.status >= CLOSED) {
    core.events.push({ kind: 'known', command: 'close_market' });
    return;
  }
  cancelMarket(core, market, 'market_closed');
  market.status = CLOSED;
  core.events.push({ kind: 'market_closed', conditionId });
}
