import { type Static, Type } from 'typebox';
import type { Command } from '../../engine/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { isoTime } from '../codec/index.ts';
import { OptionalText, OrNull, onlySet, Text } from '../parameters/index.ts';
import { defineRoute } from '../services/index.ts';

/** The commands that the operator's routes submit. */
const KINDS = [
  'create_market',
  'open_account',
  'deposit',
  'withdraw',
  'split',
  'merge',
  'redeem',
  'convert',
  'set_standing',
  'revoke_api_key',
  'cancel_orders',
  'set_trading_state',
  'change_market',
  'set_builder',
  'close_market',
  'resolve_market',
  'open_event',
  'resolve_event',
  'advance_time',
] as const satisfies readonly Command['kind'][];

const Action = Type.Object({
  seq: Type.Integer({ description: 'Sequence number in the journal' }),
  time: Text('ISO 8601'),
  kind: Type.String(),
  by: Text('Who asked for it'),
  reason: Text('Why'),
  approval: Type.Optional(
    Type.Object(
      { by: Type.String(), reason: Type.String() },
      { description: 'The second operator that asked for the same, where two must' },
    ),
  ),
  command: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'As in the journal: prices in ticks of 0.0001, sizes in lots of 0.01, money in micros',
  }),
});

/**
 * GET /actions: the operator's commands, newest first. Commands that were refused or changed
 * nothing are not listed. `next_before_seq` is the `before_seq` of the next page.
 */
export const getActions = defineRoute({
  method: 'GET',
  path: '/actions',
  summary: "The operator's commands, with who asked for them and why",
  auth: 'operator',
  query: Type.Object({
    kind: Type.Optional(Type.Enum(KINDS)),
    by: OptionalText('Who asked for the action, exactly as in its request'),
    before_seq: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Lists actions older than this one' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.actionsPerPage, default: 100 }),
  }),
  response: Type.Object({
    data: Type.Array(Action),
    next_before_seq: OrNull(Type.Integer(), '`before_seq` of the next page; null for none'),
  }),
  needs: ['exchange'],
  handler: async ({ query: { kind, by, before_seq, limit }, services }) => {
    const { records, more } = await services.exchange.reader.actions({
      limit,
      ...onlySet({ kind, by, beforeSeq: before_seq }),
    });
    const data = records.map(
      ({ timeMs, ...action }): Static<typeof Action> => ({
        ...action,
        time: isoTime(timeMs),
        command: { ...action.command },
      }),
    );
    return { data, next_before_seq: more ? (data.at(-1)?.seq ?? null) : null };
  },
});
