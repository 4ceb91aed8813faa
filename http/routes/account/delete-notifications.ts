import { Type } from 'typebox';
import { BOUNDS } from '../../../engine/model/index.ts';
import { commandRejectError } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';

const MOST = BOUNDS.dismissalsPerCommand;

/**
 * DELETE /notifications: notifications of the caller that are not to be told again (wire 1.7). The
 * reply names every id that was asked for: one that was not there, or is somebody else's, is as
 * gone for the caller as the others. Durable when answered, so it holds after a restart.
 */
export const deleteNotifications = defineRoute({
  method: 'DELETE',
  path: '/notifications',
  summary: 'Dismiss notifications',
  auth: 'l2',
  query: Type.Object({
    ids: Type.Array(Type.Integer({ minimum: 1 }), {
      minItems: 1,
      maxItems: MOST,
      description: `Ids of notifications, at most ${MOST}`,
    }),
  }),
  response: Type.Object({ deleted: Type.Array(Type.String({ description: 'Id' })) }),
  needs: ['exchange'],
  handler: async ({ query, caller: { owner }, services: { exchange } }) => {
    const ids = [...new Set(query.ids)];
    const { events } = await exchange.submit({ kind: 'dismiss_notifications', owner, ids });
    const rejected = events.find((event) => event.kind === 'rejected');
    if (rejected !== undefined) throw commandRejectError(rejected);
    return { deleted: ids.map(String) };
  },
});
