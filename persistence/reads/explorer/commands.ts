/**
 * Commands by their number, and lists of commands, newest first. Invariant: a list looks at each
 * command of its range once, so pages that continue from each other miss none. Bound:
 * STORE_BOUNDS.exploredCommands commands and fills for one page, exploredItems ids in its commands,
 * and exploredEffects effects of a command.
 */
import { strict as assert } from 'node:assert';
import type {
  CloseReason,
  Command,
  Fill,
  OrderAccepted,
  OrderClosed,
} from '../../../engine/index.ts';
import { type FillValues, fillEvent, fillFields } from '../../journal/fills.ts';
import type { StoredCommand } from '../../journal/part.ts';
import type { JournalReader } from '../../journal/reader.ts';
import {
  type Effect,
  type EffectSources,
  readEffects,
  STORE_BOUNDS,
  type StoredEffect,
  storedEffects,
  type TradeHead,
  tradesOf,
} from '../../shared/index.ts';
import { orderAlone } from '../records/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';

/** The commands that can be read: all from `firstSeq` to `lastSeq`; both 0 for none. */
export interface ReadableRange {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export interface ListedCommand {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
  /** What was journaled with the command; undefined for nothing. */
  readonly evidence: unknown;
  readonly fillCount: number;
}

export interface ExploredCommand extends ListedCommand, ReadableRange {
  readonly kind: 'command';
  /** The version of the engine's rules under which it ran. */
  readonly rules: number;
  readonly checksum: number;
  /** The first STORE_BOUNDS.exploredEffects effects, in order. */
  readonly effects: readonly Effect[];
  readonly effectCount: number;
  /** The trades of all its fills, at most as many as effects. */
  readonly trades: readonly Omit<TradeHead, 'fills'>[];
  readonly tradeCount: number;
}

export interface CommandsQuery {
  /** Commands with a lower seq. */
  readonly beforeSeq?: number;
  /** Commands with a higher seq. */
  readonly afterSeq?: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
  readonly kind?: Command['kind'];
  /** A market that the command names or changed orders of. */
  readonly conditionId?: string;
  /** An account or owner that the command names, or whose orders it filled or closed. */
  readonly address?: string;
}

export interface CommandPage extends ReadableRange {
  readonly records: readonly ListedCommand[];
  /** The last seq that was looked at; every match from there on is on the page. */
  readonly lookedToSeq: number;
  /** Whether there are older commands in the range. */
  readonly more: boolean;
}

/** Commands that are read from the journal at once. */
const CHUNK = 256;

export const EXPLORER_COMMAND_SQL = {
  lastSeq: 'SELECT seq FROM progress',
  effects: 'SELECT events FROM effects WHERE seq = @seq',
  rangeEffects: 'SELECT seq, events FROM effects WHERE seq > ? AND seq <= ?',
  orderKeys:
    'SELECT account_key AS accountKey, owner_key AS ownerKey, market_key AS marketKey ' +
    'FROM orders WHERE order_key = ?',
} as const;

function readableRange(tables: ReadTables, journal: JournalReader): ReadableRange {
  const [lastSeq = 0] = tables.column<number>(EXPLORER_COMMAND_SQL.lastSeq, {});
  return { firstSeq: Math.min(journal.firstSeq, lastSeq), lastSeq };
}

export function exploreCommand(
  tables: ReadTables,
  journal: JournalReader,
  seq: number,
): ExploredCommand | ({ readonly kind: 'none' } & ReadableRange) {
  const range = readableRange(tables, journal);
  if (seq < Math.max(1, range.firstSeq) || seq > range.lastSeq) return { kind: 'none', ...range };
  const [stored] = journal.commands(seq - 1, seq);
  assert(stored !== undefined, 'the range has no gap');
  const fills = journal.fills(seq - 1, seq).map(fillEvent);
  const [text] = tables.column<string>(EXPLORER_COMMAND_SQL.effects, { seq });
  const all = storedEffects(text);
  const { exploredEffects } = STORE_BOUNDS;
  const effects = readEffects(all.slice(0, exploredEffects), effectSources(tables, seq, fills));
  const trades = tradesOf({ seq, timeMs: stored.timeMs, events: fills });
  return {
    kind: 'command',
    ...range,
    ...listed(tables, stored, fills.length),
    rules: journal.rulesAt(seq),
    checksum: stored.checksum,
    effects,
    effectCount: all.length,
    trades: trades.slice(0, exploredEffects).map(({ fills: _, ...trade }) => trade),
    tradeCount: trades.length,
  };
}

/** Plain data: a stored command decodes its content on demand, and can't be sent to a thread. */
function listed(tables: ReadTables, stored: StoredCommand, fillCount: number): ListedCommand {
  const { seq, timeMs, evidence } = stored;
  return { seq, timeMs, command: stored.command(tables.names), evidence, fillCount };
}

export function effectSources(
  tables: ReadTables,
  seq: number,
  fills: readonly Fill[],
): EffectSources {
  return {
    fills,
    accepted: () => acceptedOf(tables, seq),
    closed: (orderKey, reason) => closedOf(tables, orderKey, reason),
  };
}

function acceptedOf(tables: ReadTables, orderKey: number): OrderAccepted {
  const { orderId, account, conditionId } = orderAlone(tables, orderKey);
  return { kind: 'order_accepted', orderId, account, conditionId };
}

/** Nothing changes an order after it was closed, so its totals now are those of that time. */
function closedOf(tables: ReadTables, orderKey: number, reason: CloseReason): OrderClosed {
  const order = orderAlone(tables, orderKey);
  const { orderId, account, owner, conditionId, filledLots, filledMicros, feeMicros } = order;
  const kind = 'order_closed';
  const closed = { kind, orderId, account, owner, conditionId, reason } as const;
  return { ...closed, filledLots, filledMicros, ...(feeMicros > 0 && { feeMicros }) };
}

/** The filters of a list as the tables and the journal write them. */
interface Wanted {
  readonly kind: Command['kind'] | undefined;
  /** Sets of names, of which a command must have one each. */
  readonly names: readonly ReadonlySet<string>[];
  readonly address: string | undefined;
  readonly conditionId: string | undefined;
  readonly accountKey: number | undefined;
  readonly ownerKey: number | undefined;
  readonly marketKey: number | undefined;
}

export function exploreCommands(
  tables: ReadTables,
  journal: JournalReader,
  { beforeSeq = Number.MAX_SAFE_INTEGER, afterSeq = 0, limit, ...filters }: CommandsQuery,
): CommandPage {
  assert(limit >= 1 && limit <= STORE_BOUNDS.pageRows, 'routes limit the size of pages');
  const range = readableRange(tables, journal);
  const wanted = wantedOf(tables, filters);
  const leastSeq = Math.max(afterSeq, range.firstSeq - 1, 0);
  const records: ListedCommand[] = [];
  let next = Math.min(beforeSeq - 1, range.lastSeq);
  let looked = 0;
  let items = 0;
  const isFull = (): boolean =>
    records.length >= limit ||
    looked >= STORE_BOUNDS.exploredCommands ||
    items >= STORE_BOUNDS.exploredItems;
  while (next > leastSeq && !isFull()) {
    const from = Math.max(leastSeq, next - CHUNK);
    const piece = readPiece(tables, journal, { from, to: next });
    for (const stored of piece.commands.reverse()) {
      if (isFull()) break;
      const fillCount = piece.fills.get(stored.seq)?.length ?? 0;
      looked += 1 + fillCount;
      next = stored.seq - 1;
      if (!isWanted(tables, wanted, stored, piece)) continue;
      const record = listed(tables, stored, fillCount);
      records.push(record);
      items += itemsOf(record.command);
    }
  }
  return { ...range, records, lookedToSeq: next + 1, more: next > leastSeq };
}

interface Piece {
  readonly commands: StoredCommand[];
  readonly fills: ReadonlyMap<number, readonly FillValues[]>;
  readonly effects: ReadonlyMap<number, string>;
}

function readPiece(
  tables: ReadTables,
  journal: JournalReader,
  { from, to }: { readonly from: number; readonly to: number },
): Piece {
  const effects = tables
    .statement<[number, number], { seq: number; events: string }>(EXPLORER_COMMAND_SQL.rangeEffects)
    .all(from, to);
  return {
    commands: journal.commands(from, to),
    fills: Map.groupBy(journal.fills(from, to), ([seq]) => seq),
    effects: new Map(effects.map(({ seq, events }) => [seq, events])),
  };
}

function wantedOf(
  tables: ReadTables,
  { kind, conditionId, address }: Pick<CommandsQuery, 'kind' | 'conditionId' | 'address'>,
): Wanted {
  const marketKey = conditionId === undefined ? undefined : tables.key('market', conditionId);
  const tokens = marketKey === undefined ? [] : tokensOf(tables, marketKey);
  const names = [
    ...(conditionId === undefined ? [] : [new Set([conditionId, ...tokens])]),
    ...(address === undefined ? [] : [new Set([address])]),
  ];
  return {
    kind,
    names,
    address,
    conditionId,
    accountKey: address === undefined ? undefined : tables.key('account', address),
    ownerKey: address === undefined ? undefined : tables.key('owner', address),
    marketKey,
  };
}

const TOKENS_SQL = 'SELECT yes_token AS yes, no_token AS no FROM markets WHERE market_key = ?';

function tokensOf(tables: ReadTables, marketKey: number): readonly string[] {
  const row = tables.statement<[number], { yes: string; no: string }>(TOKENS_SQL).get(marketKey);
  return row === undefined ? [] : [row.yes, row.no];
}

function isWanted(
  tables: ReadTables,
  wanted: Wanted,
  stored: StoredCommand,
  piece: Piece,
): boolean {
  if (wanted.kind !== undefined && wanted.kind !== stored.kind) return false;
  if (wanted.names.length === 0) return true;
  const { seq } = stored;
  const command = stored.command(tables.names);
  const { marketKey, conditionId, accountKey, ownerKey, address } = wanted;
  const fills = (piece.fills.get(seq) ?? []).map(fillFields);
  let effects: readonly StoredEffect[] | undefined;
  return wanted.names.every((names) => {
    if (mentions(command, names)) return true;
    const isOfMarket = conditionId !== undefined && names.has(conditionId);
    const isFilled = fills.some((fill) =>
      isOfMarket
        ? fill.conditionId === conditionId
        : fill.takerAccount === address || fill.makerAccount === address,
    );
    if (isFilled) return true;
    effects ??= storedEffects(piece.effects.get(seq));
    return effects.some((effect) => {
      if (typeof effect !== 'object') return false;
      if (!Array.isArray(effect)) return mentions(effect, names);
      const keys = orderKeysOf(tables, effect[0]);
      return isOfMarket
        ? keys.marketKey === marketKey
        : keys.accountKey === accountKey || keys.ownerKey === ownerKey;
    });
  });
}

/** Whether a field of a command or an event, or an item of one, is one of the names. */
function mentions(record: object, names: ReadonlySet<string>): boolean {
  return Object.values(record).some((value) =>
    Array.isArray(value) ? value.some((item) => names.has(item)) : names.has(value),
  );
}

interface OrderKeys {
  readonly accountKey: number;
  readonly ownerKey: number;
  readonly marketKey: number;
}

function orderKeysOf(tables: ReadTables, orderKey: number): OrderKeys {
  const keys = tables.statement<[number], OrderKeys>(EXPLORER_COMMAND_SQL.orderKeys).get(orderKey);
  assert(keys !== undefined, 'every order key has its row in orders');
  return keys;
}

/** The items of a command's lists, each some 70 bytes. */
function itemsOf(command: Command): number {
  return Object.values(command).reduce(
    (sum: number, value) => sum + (Array.isArray(value) ? value.length : 0),
    0,
  );
}
