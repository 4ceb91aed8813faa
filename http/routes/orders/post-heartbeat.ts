import { Type } from 'typebox';
import { ANY_BODY, compileCheck } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

const Beat = Type.Object({
  heartbeat_id: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'What the last reply, or the last 400, carried; "" or null for the first beat',
    }),
  ),
});

const check = compileCheck(Beat, 'invalid_payload');

/** '' where the client leaves it unset, each in its own way. */
function idIn(body: unknown): string {
  return body === undefined || body === null ? '' : (check(body).heartbeat_id ?? '').toLowerCase();
}

function heartbeatAt(path: string) {
  return defineRoute({
    method: 'POST',
    path,
    summary: "Keep your dead man's switch from tripping; the first beat arms it",
    auth: 'l2',
    body: ANY_BODY,
    documentedBody: Beat,
    response: Type.Object({
      heartbeat_id: Type.String({ description: 'A UUID: what the next beat must carry' }),
    }),
    needs: ['heartbeats'],
    handler: async ({ body, caller, services }) => ({
      heartbeat_id: await services.heartbeats.beat(caller, idIn(body)),
    }),
  });
}

/**
 * POST /v1/heartbeats: one beat of the owner's dead man's switch (wire 1.7). The first one, without
 * an id, arms it; each later one carries the `heartbeat_id` of the reply before. When none comes
 * for the window (`--heartbeat-window-seconds`), all live orders of all the owner's accounts are
 * cancelled and the switch is no longer armed. An owner has one switch, whatever the number of its
 * programs; it survives a restart of the exchange, and then has a fresh window.
 *
 * A beat without an id when the switch is armed counts: the bot was restarted. One with another id
 * than the switch has, or with any id when none is armed, is answered 400 `invalid_heartbeat_id`
 * with the id that the next beat must carry under `heartbeat_id`; a client that takes it from
 * there is in step again, and knows that its switch had tripped.
 */
export const postHeartbeat = heartbeatAt('/v1/heartbeats');

/** The same at the path of the vendor's specification (wire 11.34). */
export const postHeartbeatAlias = heartbeatAt('/heartbeats');
