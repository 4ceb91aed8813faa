import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import {
  formatNotification,
  formatResolution,
  Notification,
  wordFinder,
} from '../../format/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

/**
 * GET /notifications: what became of the caller's open orders without its doing, and of markets in
 * which it had tokens, newest first: fills of resting orders and of delayed ones; orders that
 * expired, that self-trade prevention, the dead man's switch or the operator took, or that found
 * nothing to match after their delay; resolutions (wire 1.7). Each is told until DELETE
 * /notifications names it; at most `READ_BOUNDS.notifications`.
 */
export const getNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  summary: 'Fills and unasked cancellations of your open orders, and resolutions',
  auth: 'l2',
  query: Type.Object({
    signature_type: Type.Optional(
      Type.String({ description: 'Not needed: all your accounts are told of' }),
    ),
  }),
  response: Type.Array(Notification),
  needs: ['exchange', 'registry'],
  handler: async ({ caller: { owner, apiKey }, services: { exchange, registry } }) => {
    const limit = READ_BOUNDS.notifications;
    const notifications = await exchange.reader.notifications({ owner, limit });
    const wordsOf = wordFinder(exchange.catalog.lookup);
    return notifications.map((one) => {
      if (one.kind !== 'resolution') return formatNotification(one, wordsOf(one.order.conditionId));
      const { tokenIds } = marketIn(registry, one.conditionId);
      return formatResolution(one, wordsOf(one.conditionId), { apiKey, tokenIds });
    });
  },
});
