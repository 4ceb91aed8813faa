import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import {
  formatNotification,
  formatResolution,
  Notification,
  textFinder,
} from '../../format/index.ts';
import { OptionalText } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

/**
 * GET /notifications: events that the caller did not cause itself, newest first (wire 1.7): fills
 * of its resting and delayed orders; orders that expired, that self-trade prevention, the dead
 * man's switch or the operator cancelled, or that matched nothing after their delay; resolutions of
 * markets in which it had tokens. At most `READ_BOUNDS.notifications`, until they are dismissed.
 */
export const getNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  summary: 'Fills and cancellations of your open orders, and resolutions',
  auth: 'l2',
  query: Type.Object({
    signature_type: OptionalText('Ignored: the list is for all your accounts'),
  }),
  response: Type.Array(Notification),
  needs: ['exchange', 'registry'],
  handler: async ({ caller: { owner, apiKey }, services: { exchange, registry } }) => {
    const limit = READ_BOUNDS.notifications;
    const notifications = await exchange.reader.notifications({ owner, limit });
    const textsOf = textFinder(exchange.catalog.lookup);
    return notifications.map((one) => {
      if (one.kind !== 'resolution') return formatNotification(one, textsOf(one.order.conditionId));
      const { tokenIds } = marketIn(registry, one.conditionId);
      return formatResolution(one, textsOf(one.conditionId), { apiKey, tokenIds });
    });
  },
});
