import { Type } from 'typebox';
import { DAY_MS } from '../../../engine/model/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { sumText } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import {
  isHash,
  MIN_SEQ,
  OptionalText,
  OptionalTrueFalse,
  refuseLaterSeq,
  Text,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const TokenIds = Type.Optional(
  Type.Array(Type.String(), { description: 'Ignored: the volume is that of the market' }),
);

const Condition = Type.Object({
  conditionId: OptionalText('Condition id'),
  condition_id: OptionalText('The same; one of both is required'),
  tokenIds: TokenIds,
  token_ids: TokenIds,
});

const Body = Type.Object({
  include_24h: OptionalTrueFalse('Adds volume_24h'),
  conditions: Type.Array(Condition, { minItems: 1, maxItems: READ_BOUNDS.listedVolumes }),
});

const Volumes = Type.Array(
  Type.Object({
    condition_id: Text('As in the request'),
    status: Type.Enum([200, 400, 404]),
    volume: OptionalText('Collateral that takers paid or received'),
    volume_24h: OptionalText('The same for this hour and the 23 before it'),
    error: OptionalText('Present unless the status is 200'),
  }),
);
type Volume = Type.Static<typeof Volumes>[number];

function conditionOf(asked: Type.Static<typeof Condition>, index: number): string {
  const { condition_id, conditionId = condition_id } = asked;
  if (conditionId !== undefined) return conditionId;
  throw new ApiError('missing_field', { field: `conditions.${index}.conditionId` });
}

function refused(conditionId: string): Volume {
  return isHash(conditionId)
    ? { condition_id: conditionId, status: 404, error: 'market not found' }
    : { condition_id: String(echo(conditionId)), status: 400, error: 'Invalid conditionId' };
}

/**
 * POST /data/volumes: the volume of each of several markets, in the order of the request (wire
 * 1.6). A trade counts once, with the cash of its taker.
 */
export const postDataVolumes = defineRoute({
  method: 'POST',
  path: '/data/volumes',
  summary: 'Volumes of several markets',
  auth: 'none',
  query: Type.Object(MIN_SEQ),
  body: Body,
  status: 207,
  response: Volumes,
  needs: ['exchange'],
  handler: async ({ body, query, request, services }) => {
    refuseLaterSeq(query.min_seq, services.exchange.appliedSeq);
    const asked = body.conditions.map(conditionOf);
    const volumes = await services.exchange.reader.volumes({
      conditionIds: asked.map((conditionId) => conditionId.toLowerCase()),
      sinceMs: request.nowMs - DAY_MS,
    });
    const found = new Map(volumes.map((volume) => [volume.conditionId, volume]));
    return asked.map((conditionId): Volume => {
      const volume = found.get(conditionId.toLowerCase());
      if (volume === undefined) return refused(conditionId);
      const { totalMicros, recentMicros } = volume;
      const recent = body.include_24h === true ? { volume_24h: sumText(recentMicros) } : {};
      return { condition_id: conditionId, status: 200, volume: sumText(totalMicros), ...recent };
    });
  },
});
