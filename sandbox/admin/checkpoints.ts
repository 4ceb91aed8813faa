import { type Static, Type } from 'typebox';
import { ANY_BODY, compileCheck } from '../../http/api/index.ts';
import { isoTime } from '../../http/codec/index.ts';
import { Text } from '../../http/parameters/index.ts';
import type { SavedState } from '../saved-states/description.ts';
import { defineSandboxRoute } from './services.ts';

const NAME_CHARACTERS = 100;

const Wishes = Type.Object({
  name: Type.Optional(
    Type.String({ maxLength: NAME_CHARACTERS, description: 'A name for people' }),
  ),
});
const checkWishes = compileCheck(Wishes, 'invalid_payload');

const FIELDS = {
  id: Text('What the routes below take'),
  name: Text('As given; "" for none'),
  seq: Type.Integer({ description: 'The last command that it has' }),
  time: Text("The exchange's time when it was made, ISO 8601"),
  made_at: Text("The wall clock's time when it was made, ISO 8601"),
  bytes: Type.Integer({ description: 'Its size on the disk' }),
};
export const CheckpointRecord = Type.Object(FIELDS);
const CheckpointId = Type.Object({ checkpoint_id: Text('The `id` of the checkpoint') });

function checkpointOf(state: SavedState): Static<typeof CheckpointRecord> {
  const { id, name, seq, timeMs, madeMs, bytes } = state;
  return { id, name, seq, time: isoTime(timeMs), made_at: isoTime(madeMs), bytes };
}

/** POST /checkpoints: keeps the whole state of the exchange as it is now (docs/sandbox.md). */
export const postCheckpoint = defineSandboxRoute({
  method: 'POST',
  path: '/checkpoints',
  summary: 'Keep the state of the exchange',
  auth: 'operator',
  sandbox: true,
  body: ANY_BODY,
  documentedBody: Wishes,
  response: CheckpointRecord,
  needs: ['checkpoints'],
  handler: async ({ body, services: { checkpoints } }) => {
    // No body is none of its fields.
    const { name = '' } = checkWishes(body ?? {});
    return checkpointOf(await checkpoints.save(name));
  },
});

/** GET /checkpoints: all of them, the oldest first. */
export const getCheckpoints = defineSandboxRoute({
  method: 'GET',
  path: '/checkpoints',
  summary: 'The checkpoints',
  auth: 'operator',
  sandbox: true,
  response: Type.Object({ data: Type.Array(CheckpointRecord) }),
  needs: ['checkpoints'],
  handler: ({ services: { checkpoints } }) => ({ data: checkpoints.list().map(checkpointOf) }),
});

/**
 * POST /checkpoints/{checkpoint_id}/restore: brings the whole exchange back to a checkpoint. Until
 * the answer, all other requests get 425 `service_not_ready`, and all sockets are closed with 1012.
 */
export const restoreCheckpoint = defineSandboxRoute({
  method: 'POST',
  path: '/checkpoints/{checkpoint_id}/restore',
  summary: 'Bring the exchange back to a checkpoint',
  auth: 'operator',
  sandbox: true,
  outlivesServices: true,
  params: CheckpointId,
  response: Type.Object({
    ...FIELDS,
    stream_id: Text('The new id of the streams'),
  }),
  needs: ['checkpoints'],
  handler: async ({ params, services: { checkpoints } }) => {
    const restored = await checkpoints.restore(params.checkpoint_id);
    return { ...checkpointOf(restored), stream_id: restored.streamId };
  },
});

/** DELETE /checkpoints/{checkpoint_id}: removes it and its files. */
export const deleteCheckpoint = defineSandboxRoute({
  method: 'DELETE',
  path: '/checkpoints/{checkpoint_id}',
  summary: 'Remove a checkpoint',
  auth: 'operator',
  sandbox: true,
  params: CheckpointId,
  response: CheckpointRecord,
  needs: ['checkpoints'],
  handler: ({ params, services: { checkpoints } }) =>
    checkpointOf(checkpoints.remove(params.checkpoint_id)),
});
