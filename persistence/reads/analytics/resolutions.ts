/**
 * How markets were resolved (wire 8.8). A market that trades here is `active` until the operator
 * resolves it. Any other is as its source told it, which says nothing of payouts. Proposals and
 * disputes do not exist here. Bound: the markets of DATA_BOUNDS.selectors conditions or events.
 */

import { ONE_TICKS, SECOND_MS } from '../../../engine/model/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { membersOf } from './number-text.ts';

export interface ResolutionsQuestion {
  /** One of these: condition ids in lower case, ids of events of the catalog, a question's id. */
  readonly markets?: readonly string[] | undefined;
  readonly events?: readonly number[] | undefined;
  readonly questionId?: string | undefined;
}

export const RESOLUTION_STATUSES = [
  'initialized',
  'posed',
  'proposed',
  'challenged',
  'reproposed',
  'disputed',
  'active',
  'arbitration',
  'resolved',
] as const;

/** Look-ups in indexes; a test checks the query plans. */
export const RESOLUTION_SQL = {
  events:
    'SELECT known.condition_id FROM json_each(@events) AS named ' +
    'CROSS JOIN catalog.markets AS known ON known.event_id = named.value ' +
    'ORDER BY known.event_id, known.id',
  question:
    'SELECT condition_id FROM catalog.markets ' +
    "WHERE question_id <> '' AND question_id = @questionId ORDER BY id",
  own:
    'SELECT payout_ticks AS payoutTicks, resolved_ms AS resolvedMs, event_key AS eventKey ' +
    'FROM markets AS own CROSS JOIN market_states AS s ON s.market_key = own.market_key ' +
    'WHERE own.condition_id = ?',
  known:
    'SELECT question_id AS questionId, created_at AS createdAt, updated_at AS updatedAt, ' +
    "closed_time AS closedTime, told ->> '$.umaResolutionStatus' AS status, " +
    "coalesce(told ->> '$.umaResolutionStatuses', '') LIKE '%disputed%' AS wasDisputed " +
    'FROM catalog.markets WHERE condition_id = ?',
} as const;

interface OwnRow {
  readonly payoutTicks: number | null;
  readonly resolvedMs: number | null;
  readonly eventKey: number | null;
}

interface KnownRow {
  readonly questionId: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly closedTime: string | null;
  readonly status: string | null;
  readonly wasDisputed: number;
}

export function resolutionsText(reads: AnalyticsReads, question: ResolutionsQuestion): string {
  const { markets, events, questionId } = question;
  const { tables } = reads;
  const conditions =
    markets ??
    (events === undefined
      ? tables.column<string>(RESOLUTION_SQL.question, { questionId })
      : tables.column<string>(RESOLUTION_SQL.events, { events: JSON.stringify(events) }));
  const selectOwn = tables.statement<[string], OwnRow>(RESOLUTION_SQL.own);
  const selectKnown = tables.statement<[string], KnownRow>(RESOLUTION_SQL.known);
  const texts = conditions.flatMap((conditionId) => {
    const [own, known] = [selectOwn.get(conditionId), selectKnown.get(conditionId)];
    if (own === undefined && known === undefined) return [];
    const id = questionId === undefined ? { condition_id: conditionId } : {};
    return [`{${membersOf({ ...id, ...resolutionOf(own, known, questionId !== undefined) })}}`];
  });
  return `[${texts.join(',')}]`;
}

/** `inSeconds`: rows of a question have their time as seconds, others as ISO 8601. */
function resolutionOf(own: OwnRow | undefined, known: KnownRow | undefined, inSeconds: boolean) {
  const told = RESOLUTION_STATUSES.find((status) => status === known?.status) ?? 'active';
  const isResolvedHere = typeof own?.payoutTicks === 'number';
  const status = isResolvedHere ? 'resolved' : own === undefined ? told : 'active';
  const toldAt = status === 'active' ? known?.createdAt : (known?.closedTime ?? known?.updatedAt);
  const changedMs = own?.resolvedMs ?? Date.parse(toldAt ?? known?.createdAt ?? EPOCH);
  const seconds = Math.floor(changedMs / SECOND_MS);
  const changedAt = `${new Date(seconds * SECOND_MS).toISOString().slice(0, 19)}Z`;
  return {
    question_id: HASH.test(known?.questionId ?? '') ? known?.questionId : undefined,
    status,
    extended_review: false,
    was_disputed: own === undefined && known?.wasDisputed === 1,
    new_version_q: false,
    transaction_hash: '',
    log_index: '',
    last_update_timestamp: inSeconds ? `${seconds}` : changedAt,
    market_type: own?.eventKey === null ? 'BINARY' : undefined,
    ...(isResolvedHere ? payoutsOf(own.payoutTicks ?? 0) : {}),
    ...(status === 'resolved' ? { resolved_at: changedAt } : {}),
  };
}

/** Sources have other texts in place of ids. */
const HASH = /^0x[\da-f]{64}$/i;
const EPOCH = '1970-01-01T00:00:00Z';
const MICROS_PER_TICK = 1_000_000 / ONE_TICKS;
/** An oracle's price of 1 has 18 decimals. */
const PRICE_PER_TICK = 10n ** 18n / BigInt(ONE_TICKS);

function payoutsOf(payoutTicks: number) {
  return {
    price: `${BigInt(payoutTicks) * PRICE_PER_TICK}`,
    payouts: [payoutTicks, ONE_TICKS - payoutTicks].map((ticks) => ticks * MICROS_PER_TICK),
    resolution_source: 'reported',
    reporter: 'EOA',
    was_arbitrated: false,
  };
}
