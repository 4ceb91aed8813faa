import { Type } from 'typebox';
import { BOUNDS } from '../../../engine/model/index.ts';
import { throwReject } from '../../errors/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

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
