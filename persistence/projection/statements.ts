/** The statements by which the projection writes analytics.db and resumes from its tables. */
import type { Database } from 'better-sqlite3';
import type { OrderStatus } from '../shared/index.ts';

/** The last projected command, and its checksum in the journal. */
export interface ProjectionCursor {
  readonly seq: number;
  readonly checksum: number;
}

interface OwnerName {
  readonly ownerKey: number;
  readonly address: string;
}

interface AccountName extends OwnerName {
  readonly accountKey: number;
}

interface MarketName {
  readonly marketKey: number;
  readonly conditionId: string;
  readonly yesToken: string;
  readonly noToken: string;
}

export interface StoredOrder {
  readonly builder: Buffer | null;
  filledLots: number;
  filledMicros: number;
  feeMicros: number;
  status: OrderStatus;
  updatedMs: number;
  releaseMs: number;
}

/** A row of `market_volumes`, and the newest hour of the market in `market_hours`. */
export interface StoredVolume {
  readonly micros: string;
  readonly lots: string;
  readonly hour: number;
}

export interface PricePoint {
  readonly minute: number;
  readonly halfTicks: number;
}

export type ProjectionStatements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: Database) {
  const insertMarket = 'INSERT INTO markets VALUES (?, ?, ?, ?, ?)';
  return {
    insertOwner: database.prepare('INSERT INTO owners VALUES (?, ?)'),
    insertAccount: database.prepare('INSERT INTO accounts VALUES (?, ?, ?, ?)'),
    insertMarket: database.prepare(insertMarket),
    insertTrade: database.prepare(insertInto('trades', 9)),
    insertParty: database.prepare(insertInto('trade_parties', 13)),
    raisePeak: database.prepare(
      'INSERT INTO trade_peaks VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET ' +
        'most_lots = max(most_lots, excluded.most_lots), ' +
        'most_micros = max(most_micros, excluded.most_micros)',
    ),
    insertNotification: database.prepare(insertInto('notifications', 11)),
    deleteNotification: database.prepare(
      'DELETE FROM notifications WHERE owner_key = ? AND notification_key = ?',
    ),
    insertAction: database.prepare(insertInto('actions', 8)),
    insertEffects: database.prepare(insertInto('effects', 2)),
    ...prepareVolumes(database),
    ...prepareOrders(database),
    selectCursor: database.prepare<[], ProjectionCursor>('SELECT seq, checksum FROM progress'),
    updateCursor: database.prepare(
      'UPDATE progress SET seq = @seq, checksum = @checksum, notification_key = @notificationKey',
    ),
    ...preparePoints(database),
    ...prepareRestores(database),
    selectLastTradeKey: database.prepare<[], number>('SELECT max(trade_key) FROM trades').pluck(),
  };
}

/**
 * Values are bound by position, in the order of the table's columns: binding them by name would
 * take twice as long.
 */
function insertInto(table: string, columns: number): string {
  return `INSERT INTO ${table} VALUES (${Array(columns).fill('?').join(', ')})`;
}

function prepareOrders(database: Database) {
  const amounts = 'filled_lots = ?, filled_micros = ?, fee_micros = ?';
  const selectOrder =
    'SELECT builder, filled_lots AS filledLots, ' +
    'filled_micros AS filledMicros, fee_micros AS feeMicros, status, updated_ms AS updatedMs, ' +
    'release_ms AS releaseMs FROM orders WHERE order_key = ?';
  return {
    insertOrder: database.prepare(insertInto('orders', 24)),
    selectOrder: database.prepare<[number], StoredOrder>(selectOrder),
    updateOrder: database.prepare(
      `UPDATE orders SET ${amounts}, status = ?, updated_ms = ?, release_ms = ? ` +
        'WHERE order_key = ?',
    ),
    updateClosedOrder: database.prepare(
      `UPDATE orders SET ${amounts}, status = ?, close_reason = ?, updated_ms = ?, ` +
        'closed_seq = ? WHERE order_key = ?',
    ),
  };
}

function prepareVolumes(database: Database) {
  const selectVolume =
    'SELECT micros, lots, (SELECT max(hour) FROM market_hours AS own ' +
    'WHERE own.market_key = market_volumes.market_key) AS hour ' +
    'FROM market_volumes WHERE market_key = ?';
  return {
    selectVolume: database.prepare<[number], StoredVolume>(selectVolume),
    putVolume: database.prepare('REPLACE INTO market_volumes VALUES (?, ?, ?)'),
    insertHour: database.prepare('INSERT INTO market_hours VALUES (?, ?, ?)'),
    deleteHours: database.prepare('DELETE FROM market_hours WHERE market_key = ? AND hour <= ?'),
  };
}

function preparePoints(database: Database) {
  const putPoint =
    'INSERT INTO price_points VALUES (@marketKey, @minute, @halfTicks) ' +
    'ON CONFLICT DO UPDATE SET half_ticks = excluded.half_ticks';
  const thinPoints =
    'DELETE FROM price_points WHERE market_key = @marketKey ' +
    'AND minute >= @fromMinute AND minute < @toMinute AND EXISTS (' +
    'SELECT 1 FROM price_points AS later WHERE later.market_key = @marketKey ' +
    'AND later.minute > price_points.minute ' +
    'AND later.minute < price_points.minute - price_points.minute % @stepMinutes + @stepMinutes)';
  const selectLastPoint =
    'SELECT minute, half_ticks AS halfTicks FROM price_points ' +
    'WHERE market_key = ? ORDER BY minute DESC LIMIT 1';
  return {
    putPoint: database.prepare(putPoint),
    thinPoints: database.prepare(thinPoints),
    selectLastPoint: database.prepare<[number], PricePoint>(selectLastPoint),
  };
}

function prepareRestores(database: Database) {
  return {
    selectOwners: database.prepare<[], OwnerName>(
      'SELECT owner_key AS ownerKey, address FROM owners',
    ),
    selectAccounts: database.prepare<[], AccountName>(
      'SELECT account_key AS accountKey, address, owner_key AS ownerKey FROM accounts',
    ),
    selectMarkets: database.prepare<[], MarketName>(
      'SELECT market_key AS marketKey, condition_id AS conditionId, yes_token AS yesToken, ' +
        'no_token AS noToken FROM markets',
    ),
    selectNotificationKey: database
      .prepare<[], number>('SELECT notification_key FROM progress')
      .pluck(),
  };
}
