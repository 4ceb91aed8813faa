import { Type } from 'typebox';
import { BOUNDS } from '../../../engine/model/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { throwReject } from '../../errors/index.ts';
import {
  formatFullMarket,
  formatNotification,
  formatResolution,
  liveMarket,
  Notification,
  textFinder,
} from '../../format/index.ts';
import { OptionalText, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

const MAX_IDS = BOUNDS.dismissalsPerCommand;

/**
 * DELETE /notifications: dismisses notifications of the caller (wire 1.7). The reply lists every
 * requested id, also unknown ids and those of other owners. Durable when answered.
 */
export const deleteNotifications = defineRoute({
  method: 'DELETE',
  path: '/notifications',
  summary: 'Dismiss notifications',
  auth: 'l2',
  query: Type.Object({
    ids: Type.Array(Type.Integer({ minimum: 1 }), {
      minItems: 1,
      maxItems: MAX_IDS,
      description: `Ids of notifications, at most ${MAX_IDS}`,
    }),
  }),
  response: Type.Object({ deleted: Type.Array(Text('Id')) }),
  needs: ['exchange'],
  handler: async ({ query, caller: { owner }, services: { exchange } }) => {
    const ids = [...new Set(query.ids)];
    const { events } = await exchange.submit({ kind: 'dismiss_notifications', owner, ids });
    throwReject(events);
    return { deleted: ids.map(String) };
  },
});

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
  needs: ['exchange', 'registry', 'books'],
  handler: async ({ caller: { owner, apiKey }, services }) => {
    const { exchange, registry } = services;
    const limit = READ_BOUNDS.notifications;
    const notifications = await exchange.reader.notifications({ owner, limit });
    const textsOf = textFinder(exchange.catalog.lookup);
    return notifications.map((one) => {
      if (one.kind !== 'resolution') return formatNotification(one, textsOf(one.order.conditionId));
      const { tokenIds } = marketIn(registry, one.conditionId);
      const found = exchange.catalog.lookup.marketByCondition(one.conditionId);
      const market = found && formatFullMarket(liveMarket(found, services));
      return formatResolution(one, textsOf(one.conditionId), { apiKey, tokenIds, market });
    });
  },
});
