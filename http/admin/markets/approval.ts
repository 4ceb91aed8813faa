/** A second operator's approval of a resolution, where the file of operators asks for it. */
import { Type } from 'typebox';
import type { ResolveEvent, ResolveMarket } from '../../../engine/index.ts';
import type { Attribution } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

type Resolution = ResolveMarket | ResolveEvent;

/** In the answer to a resolution. */
export const RESOLUTION_STATUS = {
  status: Type.Enum(['resolved', 'awaiting_approval'], {
    description:
      'awaiting_approval: nothing has happened yet, and another operator must send the same ' +
      'request within 24 hours (GET /approvals)',
  }),
} as const;

/** Where two must ask, who asked first and who approved; undefined while the second is missing. */
export function approvedResolution(
  command: Resolution,
  said: Attribution,
  { services, nowMs }: ApprovalParts,
): Attribution | undefined | Promise<Attribution | undefined> {
  const { operators, approvals, registry } = services;
  if (!operators.resolutionsNeedTwo) return said;
  // Repeated, or too late: it changes nothing, and the engine says which.
  if (marketIn(registry, command.conditionId).status === 'resolved') return said;
  return approvals.ask(command, said, { nowMs, permitted: operators.permitted('markets') });
}

interface ApprovalParts {
  readonly services: Pick<Services, 'operators' | 'approvals' | 'registry'>;
  readonly nowMs: number;
}

/**
 * GET /approvals: resolutions that wait for a second operator, oldest first. They are kept in
 * memory: after a restart the first operator asks again.
 */
export const getApprovals = defineRoute({
  method: 'GET',
  path: '/approvals',
  summary: 'Resolutions that wait for a second operator',
  auth: 'operator',
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        kind: Type.Enum(['resolve_market', 'resolve_event']),
        command: Type.Record(Type.String(), Type.Unknown(), {
          description: 'As GET /actions will show it: the payout in ticks of 0.0001',
        }),
        by: Text('Who asked for it'),
        reason: Text('Why'),
        since: Text('ISO 8601'),
        until: Text('When it is forgotten, ISO 8601'),
      }),
    ),
  }),
  needs: ['approvals', 'registry'],
  handler: async ({ request: { nowMs }, services: { approvals, registry } }) => ({
    data: (await approvals.list(nowMs))
      // The market may have resolved otherwise.
      .filter(({ request }) => registry.market(request.conditionId)?.status !== 'resolved')
      .map(({ request, by, reason, sinceMs, untilMs }) => ({
        kind: request.kind,
        command: { ...request },
        by,
        reason,
        since: isoTime(sinceMs),
        until: isoTime(untilMs),
      })),
  }),
});
