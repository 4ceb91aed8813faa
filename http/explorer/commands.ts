/** GET /explorer/commands and /explorer/commands/{seq}: what the journal has. */
import { type Static, Type } from 'typebox';
import { COMMAND_KINDS } from '../../engine/index.ts';
import type { ExploredCommand, ListedCommand } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { isoTime } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { addressFilter, hashFilter, OptionalText, onlySet, Text } from '../parameters/index.ts';
import { defineRoute } from '../services/index.ts';
import { shownAs, shownRecord } from './amounts.ts';
import {
  ExplorerCommand,
  ExplorerCommandPage,
  ExplorerCommandTrade,
  type ExplorerListedCommand,
} from './schemas.ts';
import { signedOf } from './signed.ts';

const SEQ = /^[1-9][0-9]{0,14}$/;

function seqIn(text: string): number {
  if (SEQ.test(text)) return Number(text);
  const limit = 'a whole number from 1, of at most 15 digits';
  throw new ApiError('invalid_parameter', { field: 'seq', limit, actual: echo(text) });
}

function formatListed(listed: ListedCommand): ExplorerListedCommand {
  const { seq, timeMs, command, evidence, fillCount } = listed;
  const { kind, ...fields } = command;
  return {
    seq,
    time_ms: timeMs,
    time: isoTime(timeMs),
    kind,
    command: shownRecord(fields),
    asked_by: askedBy(kind, evidence),
    fill_count: fillCount,
  };
}

/** The evidence of an order is a signature, not who asked and why. */
function askedBy(kind: string, evidence: unknown): ExplorerListedCommand['asked_by'] {
  if (kind === 'place_order' || typeof evidence !== 'object' || evidence === null) return null;
  if (!('by' in evidence && 'reason' in evidence)) return null;
  // Safe: what is submitted with `by` and `reason` is an Attribution.
  return evidence as NonNullable<ExplorerListedCommand['asked_by']>;
}

function formatCommand(explored: ExploredCommand): Static<typeof ExplorerCommand> {
  const { command, evidence, effects, trades, seq, firstSeq, lastSeq } = explored;
  return {
    ...formatListed(explored),
    rules: explored.rules,
    checksum: explored.checksum,
    signed: command.kind === 'place_order' ? signedOf(command, evidence) : null,
    events: effects.map(shownRecord),
    event_count: explored.effectCount,
    trades: trades.map((trade) =>
      shownAs(ExplorerCommandTrade, { ...trade, id: trade.tradeId, bucketIndex: trade.bucket }),
    ),
    trade_count: explored.tradeCount,
    previous_seq: seq > firstSeq ? seq - 1 : null,
    next_seq: seq < lastSeq ? seq + 1 : null,
    first_seq: firstSeq,
    last_seq: lastSeq,
  };
}

export const getExplorerCommand = defineRoute({
  method: 'GET',
  path: '/explorer/commands/{seq}',
  summary: 'A command by its number: what was asked, what was signed, and what it did',
  auth: 'operator',
  role: 'reader',
  params: Type.Object({ seq: Text('Number of the command in the journal, from 1') }),
  response: ExplorerCommand,
  needs: ['exchange'],
  handler: async ({ params, services: { exchange } }) => {
    const seq = seqIn(params.seq);
    const explored = await exchange.explorer.ask('exploredCommand', seq);
    if (explored.kind === 'command') return formatCommand(explored);
    const { firstSeq, lastSeq } = explored;
    const limit = lastSeq === 0 ? 'none yet' : `${firstSeq}..${lastSeq}`;
    throw new ApiError('command_not_found', { field: 'seq', limit, actual: seq });
  },
});

const Bound = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const getExplorerCommands = defineRoute({
  method: 'GET',
  path: '/explorer/commands',
  summary: 'Commands, newest first',
  auth: 'operator',
  role: 'reader',
  query: Type.Object({
    before: Type.Optional(Type.Integer({ ...Bound, description: 'Only lower numbers' })),
    after: Type.Optional(Type.Integer({ ...Bound, description: 'Only higher numbers' })),
    kind: Type.Optional(Type.Enum([...COMMAND_KINDS])),
    market: OptionalText(
      'Condition id: only commands that name it or a token of it, or that filled or closed its ' +
        'orders',
    ),
    account: OptionalText(
      'Account or owner: only commands that name it, or that filled or closed its orders',
    ),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.exploredPerPage, default: 50 }),
  }),
  response: ExplorerCommandPage,
  needs: ['exchange'],
  handler: async ({ query, services: { exchange } }): Promise<ExplorerCommandPage> => {
    const { before, after, kind, limit } = query;
    const page = await exchange.explorer.ask('exploredCommands', {
      limit,
      ...onlySet({
        beforeSeq: before,
        afterSeq: after,
        kind,
        conditionId: hashFilter(query.market, 'market'),
        address: addressFilter(query.account, 'account'),
      }),
    });
    return {
      data: page.records.map(formatListed),
      first_seq: page.firstSeq,
      last_seq: page.lastSeq,
      looked_to_seq: page.lookedToSeq,
      next_before: page.more ? page.lookedToSeq : null,
    };
  },
});
