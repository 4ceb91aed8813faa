/** The statements that write the tables of analytics.db, in the order of their columns. */
import type { Database, Statement } from 'better-sqlite3';
import type { OrderStatus } from './records.ts';

/** How far the tables go: the last command in them, and its checksum in the journal. */
export interface ProjectionCursor {
  readonly seq: number;
  readonly checksum: number;
}

interface FilledOrder {
  readonly orderKey: number;
}

interface ClosedOrder {
  readonly filledLots: number;
  readonly filledMicros: number;
}

export type ProjectionStatements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: Database) {
  const insertMarket = 'INSERT INTO markets VALUES (?, ?, ?, ?)';
  const insertOrder =
    'INSERT INTO orders VALUES (@orderKey, @orderId, @accountKey, @ownerKey, @apiKey, ' +
    '@marketKey, @outcome, @side, @type, @postOnly, @priceTicks, @lots, @budgetMicros, ' +
    "0, 0, 'live', '', @timeMs, @timeMs, @expiresMs)";
  const insertTrade =
    'INSERT INTO trades VALUES (@tradeKey, @tradeId, @transactionHash, @seq, @timeMs, ' +
    '@bucket, @marketKey, @priceTicks, @lots)';
  const insertParty =
    'INSERT INTO trade_parties VALUES (@tradeKey, @ordinal, @orderKey, @accountKey, ' +
    '@ownerKey, @marketKey, @outcome, @side, @priceTicks, @lots)';
  const fillOrder: Statement<[number, number, number, Buffer], FilledOrder> = database.prepare(
    'UPDATE orders SET filled_lots = filled_lots + ?, filled_micros = filled_micros + ?, ' +
      'updated_ms = ? WHERE order_id = ? RETURNING order_key AS orderKey',
  );
  const closeOrder: Statement<[OrderStatus, string, number, Buffer], ClosedOrder> =
    database.prepare(
      'UPDATE orders SET status = ?, close_reason = ?, updated_ms = ? WHERE order_id = ? ' +
        'RETURNING filled_lots AS filledLots, filled_micros AS filledMicros',
    );
  return {
    insertOwner: database.prepare('INSERT INTO owners VALUES (?, ?)'),
    insertAccount: database.prepare('INSERT INTO accounts VALUES (?, ?, ?)'),
    insertMarket: database.prepare(insertMarket),
    insertOrder: database.prepare(insertOrder),
    insertTrade: database.prepare(insertTrade),
    insertParty: database.prepare(insertParty),
    fillOrder,
    closeOrder,
    selectCursor: database.prepare<[], ProjectionCursor>('SELECT seq, checksum FROM progress'),
    updateCursor: database.prepare('UPDATE progress SET seq = @seq, checksum = @checksum'),
    selectLastTradeKey: database.prepare<[], number>('SELECT max(trade_key) FROM trades').pluck(),
  };
}
