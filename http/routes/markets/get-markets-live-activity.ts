import { defineRoute } from '../../services/index.ts';
import { getLiveActivity } from './get-live-activity.ts';

/** GET /markets/live-activity/{condition_id}: the same, where newer clients look (wire 1.1). */
export const getMarketsLiveActivity = defineRoute({
  ...getLiveActivity,
  path: '/markets/live-activity/{condition_id}',
});
