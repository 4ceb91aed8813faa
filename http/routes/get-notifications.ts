import { Type } from 'typebox';
import { wordFinder } from '../format/market-words.ts';
import { formatNotification, Notification } from '../format/notification.ts';
import { READ_BOUNDS } from '../format/read-bounds.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';

/**
 * GET /notifications: what became of the caller's resting orders without its doing, newest first:
 * fills, and orders that expired or that self-trade prevention or the dead man's switch took (wire
 * 1.7). Each is told until DELETE /notifications names it; at most `READ_BOUNDS.notifications`.
 */
export const getNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  summary: 'Fills and unasked cancellations of your resting orders',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: Type.Object({
    signature_type: Type.Optional(
      Type.String({ description: 'Not needed: all your accounts are told of' }),
    ),
  }),
  body: NO_BODY,
  response: Type.Array(Notification),
  handler: async ({ caller: { owner }, services: { exchange } }) => {
    const limit = READ_BOUNDS.notifications;
    const notifications = await exchange.reader.notifications({ owner, limit });
    const wordsOf = wordFinder(exchange.catalog);
    return notifications.flatMap((one) =>
      one.kind === 'resolution' ? [] : [formatNotification(one, wordsOf(one.order.conditionId))],
    );
  },
});
