import { Type } from 'typebox';
import { ANY_BODY, compileCheck } from '../../api/index.ts';
import { OrNull, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const Beat = Type.Object({
  heartbeat_id: Type.Optional(
    OrNull(
      Type.String(),
      'The id of the last reply, or of the last 400; "" or null for the first beat',
    ),
  ),
});

const check = compileCheck(Beat, 'invalid_payload');

/** The id; '' for none, which clients send in several ways. */
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
      heartbeat_id: Text('A UUID, which the next beat must have'),
      status: Type.Literal('ok'),
    }),
    needs: ['heartbeats'],
    handler: async ({ body, caller, services }) => ({
      heartbeat_id: await services.heartbeats.beat(caller, idIn(body)),
      // All that the SDK reads of a beat without an id.
      status: 'ok' as const,
    }),
  });
}

/**
 * POST /v1/heartbeats: one beat of the owner's dead man's switch (wire 1.7). The first beat,
 * without an id, arms the switch. Each later beat has the `heartbeat_id` of the last reply. If no
 * beat comes for the window (`--heartbeat-window-seconds`), all live orders of all the owner's
 * accounts are cancelled, and the switch is no longer armed. An owner has one switch for all its
 * programs. It survives a restart of the exchange, with a fresh window.
 *
 * A beat without an id also counts while the switch is armed, because a bot may restart. A beat
 * with a wrong id, or with any id while no switch is armed, is answered 400 `invalid_heartbeat_id`
 * with the id of the next beat under `heartbeat_id`. So the client can continue, and knows that its
 * switch may have tripped.
 */
export const postHeartbeat = heartbeatAt('/v1/heartbeats');

/** The same route at the path of the public venue's specification (wire 1.7). */
export const postHeartbeatAlias = heartbeatAt('/heartbeats');
