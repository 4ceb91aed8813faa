/** The statements that write the tables of analytics.db, in the order of their columns. */
import type { Database, Statement } from 'better-sqlite3';
import type { PricePoint } from './projection-prices.ts';
import type { OrderStatus } from './records.ts';

/** How far the tables go: the last command in them, and its checksum in the journal. */
export interface ProjectionCursor {
  readonly seq: number;
  readonly checksum: number;
}

/** What one trade added to an order. */
interface OrderFill {
  readonly orderId: Buffer;
  readonly lots: number;
  readonly micros: number;
  readonly feeMicros: number;
  readonly timeMs: number;
}

interface FilledOrder {
  readonly orderKey: number;
  /** In all, with this fill. */
  readonly filledLots: number;
  readonly builder: Buffer | null;
}

interface ClosedOrder {
  readonly orderKey: number;
  readonly filledLots: number;
  readonly filledMicros: number;
  readonly feeMicros: number;
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

export type ProjectionStatements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: Database) {
  const insertMarket = 'INSERT INTO markets VALUES (?, ?, ?, ?)';
  const insertOrder =
    'INSERT INTO orders VALUES (@orderKey, @orderId, @accountKey, @ownerKey, @apiKey, ' +
    '@builder, @marketKey, @outcome, @side, @type, @postOnly, @priceTicks, @lots, @budgetMicros, ' +
    "0, 0, 0, 'live', '', @timeMs, @timeMs, @expiresMs, 0)";
  const insertTrade =
    'INSERT INTO trades VALUES (@tradeKey, @tradeId, @transactionHash, @seq, @timeMs, ' +
    '@bucket, @marketKey, @priceTicks, @lots)';
  const insertParty =
    'INSERT INTO trade_parties VALUES (@tradeKey, @ordinal, @orderKey, @accountKey, ' +
    '@ownerKey, @marketKey, @outcome, @side, @priceTicks, @lots, @builder, @feeMicros, ' +
    '@builderFeeMicros, @feeBps)';
  const insertNotification =
    'INSERT INTO notifications VALUES (@ownerKey, @key, @timeMs, @orderKey, @filledLots, ' +
    '@tradeKey, @ordinal, @marketKey, @payoutTicks, @yesLots, @noLots)';
  const addVolume =
    'INSERT INTO market_volumes VALUES (@marketKey, @micros, @lots) ON CONFLICT DO UPDATE ' +
    'SET micros = micros + excluded.micros, lots = lots + excluded.lots';
  const addHour =
    'INSERT INTO market_hours VALUES (@marketKey, @hour, @micros, @lots) ON CONFLICT DO UPDATE ' +
    'SET micros = micros + excluded.micros, lots = lots + excluded.lots';
  const fillOrder: Statement<[OrderFill], FilledOrder> = database.prepare(
    'UPDATE orders SET filled_lots = filled_lots + @lots, ' +
      'filled_micros = filled_micros + @micros, fee_micros = fee_micros + @feeMicros, ' +
      'updated_ms = @timeMs WHERE order_id = @orderId ' +
      'RETURNING order_key AS orderKey, filled_lots AS filledLots, builder',
  );
  const closeOrder: Statement<[OrderStatus, string, number, Buffer], ClosedOrder> =
    database.prepare(
      'UPDATE orders SET status = ?, close_reason = ?, updated_ms = ? WHERE order_id = ? ' +
        'RETURNING order_key AS orderKey, filled_lots AS filledLots, ' +
        'filled_micros AS filledMicros, fee_micros AS feeMicros',
    );
  return {
    insertOwner: database.prepare('INSERT INTO owners VALUES (?, ?)'),
    insertAccount: database.prepare('INSERT INTO accounts VALUES (?, ?, ?)'),
    insertMarket: database.prepare(insertMarket),
    insertOrder: database.prepare(insertOrder),
    insertTrade: database.prepare(insertTrade),
    insertParty: database.prepare(insertParty),
    insertNotification: database.prepare(insertNotification),
    deleteNotification: database.prepare(
      'DELETE FROM notifications WHERE owner_key = ? AND notification_key = ?',
    ),
    insertAction: database.prepare('INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)'),
    addVolume: database.prepare(addVolume),
    addHour: database.prepare(addHour),
    /** Up to an hour. */
    deleteHours: database.prepare('DELETE FROM market_hours WHERE market_key = ? AND hour <= ?'),
    fillOrder,
    closeOrder,
    delayOrder: database.prepare(
      "UPDATE orders SET status = 'delayed', release_ms = ? WHERE order_id = ?",
    ),
    releaseOrder: database.prepare(
      "UPDATE orders SET status = 'live', updated_ms = ? WHERE order_id = ?",
    ),
    selectCursor: database.prepare<[], ProjectionCursor>('SELECT seq, checksum FROM progress'),
    updateCursor: database.prepare(
      'UPDATE progress SET seq = @seq, checksum = @checksum, notification_key = @notificationKey',
    ),
    ...preparePoints(database),
    ...prepareMemories(database),
    selectLastTradeKey: database.prepare<[], number>('SELECT max(trade_key) FROM trades').pluck(),
  };
}

/** The prices of markets by minute. */
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
    /** Of a market. */
    selectLastPoint: database.prepare<[number], PricePoint>(selectLastPoint),
  };
}

/** What the tables say of what came before, for a projection that goes on. */
function prepareMemories(database: Database) {
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
