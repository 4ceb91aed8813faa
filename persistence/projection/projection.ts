/**
 * Projects durable commands, in order, into the tables of analytics.db. Invariant: a step writes
 * the rows and the cursor in one transaction, so the tables are always the projection of the
 * journal up to the cursor, and do not depend on the steps that led there.
 */
import { strict as assert } from 'node:assert';
import type { Database } from 'better-sqlite3';
import type {
  CloseReason,
  EngineEvent,
  Fill,
  Holder,
  MarketCreated,
  MarketResolved,
  OrderAccepted,
  OrderClosed,
} from '../../engine/index.ts';
import { cashFor, isChange, micros } from '../../engine/model/index.ts';
import { type OrderKeyOf, ownOrderKeys } from '../journal/order-ids.ts';
import {
  type Attribution,
  type DurableCommand,
  type FillParty,
  makerOf,
  PEAK_SPANS,
  type TradeHead,
  takerOf,
  tradesOf,
  writeEffects,
} from '../shared/index.ts';
import { ProjectionBuilders } from './builders.ts';
import { ProjectionHoldings } from './holdings.ts';
import { known, ProjectionNames } from './names.ts';
import { type OrderNotice, ProjectionNotices } from './notices.ts';
import { bytesOf, ProjectionOrders } from './orders.ts';
import { PositionLedger } from './positions/ledger.ts';
import { type MidpointBook, ProjectionPrices } from './prices.ts';
import {
  type ProjectionCursor,
  type ProjectionStatements,
  prepareStatements,
} from './statements.ts';
import { ProjectionVolumes } from './volumes.ts';

export interface ProjectedCommand extends DurableCommand {
  /** The checksum of the command in the journal. The cursor recognises the journal by it. */
  readonly checksum: number;
  /** What was journaled with the command. */
  readonly evidence?: unknown;
}

/** The accounts with tokens of a market, read when its resolution is projected. */
export type HoldersOf = (conditionId: string) => Iterable<Holder>;

/** Closes that the owner expects; every other close is notified. */
const EXPECTED: ReadonlySet<CloseReason> = new Set(['matched', 'canceled', 'remainder_released']);

export class Projection {
  readonly #statements: ProjectionStatements;
  readonly #inTransaction: (commands: readonly ProjectedCommand[]) => void;
  readonly #names: ProjectionNames;
  readonly #prices = new ProjectionPrices();
  readonly #volumes: ProjectionVolumes;
  readonly #builders: ProjectionBuilders;
  readonly #orders: ProjectionOrders;
  readonly #notices: ProjectionNotices;
  readonly #ledger: PositionLedger;
  readonly #holdings: ProjectionHoldings;
  readonly #holdersOf: HoldersOf;
  #cursor: ProjectionCursor;
  #lastTradeKey: number;

  /** `books` are those of all markets at the cursor. */
  constructor(
    database: Database,
    holdersOf: HoldersOf,
    books: Iterable<MidpointBook> = [],
    orderKeyOf: OrderKeyOf = ownOrderKeys(database),
  ) {
    this.#statements = prepareStatements(database);
    this.#names = new ProjectionNames(this.#statements);
    this.#restorePrices(books);
    this.#volumes = new ProjectionVolumes(this.#statements);
    this.#builders = new ProjectionBuilders(database);
    this.#orders = new ProjectionOrders(this.#statements, orderKeyOf);
    this.#notices = new ProjectionNotices(this.#statements);
    this.#ledger = new PositionLedger(database, this.#names);
    const siblings = (marketKey: number) => this.#ledger.markets.siblings(marketKey);
    this.#holdings = new ProjectionHoldings(database, this.#names, siblings);
    this.#holdersOf = holdersOf;
    this.#cursor = this.#statements.selectCursor.get() ?? { seq: 0, checksum: 0 };
    this.#lastTradeKey = this.#statements.selectLastTradeKey.get() ?? 0;
    this.#inTransaction = database.transaction((commands: readonly ProjectedCommand[]) => {
      for (const command of commands) this.#project(command);
      this.#orders.flush();
      this.#ledger.markets.setMidpoints(this.#prices.flush(this.#statements));
      this.#volumes.flush();
      this.#builders.flush();
      this.#ledger.flush();
      this.#holdings.flush();
      const notificationKey = this.#notices.lastKey;
      this.#statements.updateCursor.run({ ...this.#cursor, notificationKey });
    }).immediate;
  }

  get cursor(): ProjectionCursor {
    return this.#cursor;
  }

  /** Projects the commands after the cursor, in order. */
  take(commands: readonly ProjectedCommand[]): void {
    if (commands.length > 0) this.#inTransaction(commands);
  }

  #restorePrices(books: Iterable<MidpointBook>): void {
    let count = 0;
    for (const book of books) {
      const marketKey = this.#names.market(book.conditionId);
      const lastPoint = this.#statements.selectLastPoint.get(marketKey);
      this.#prices.restore(book, marketKey, lastPoint);
      count += 1;
    }
    assert(count === this.#names.marketCount, 'the markets of the tables are those of the engine');
  }

  #project(applied: ProjectedCommand): void {
    assert(applied.seq === this.#cursor.seq + 1, 'commands are projected without gaps');
    for (const event of applied.events) {
      if (event.kind === 'market_created') this.#addMarket(applied, event);
      else if (event.kind === 'account_opened') this.#names.addAccount(event, applied.seq);
      else this.#projectOrder(applied, event);
    }
    this.#prices.project(applied.timeMs, applied.events);
    for (const trade of tradesOf(applied)) this.#addTrade(applied, trade);
    for (const event of applied.events) {
      this.#holdings.project(event, applied);
      if (event.kind === 'order_closed') this.#closeOrder(applied, event);
      else if (event.kind === 'market_resolved') this.#resolve(applied.timeMs, event);
      else if (event.kind === 'notifications_dismissed') {
        this.#notices.dismiss(this.#names.owner(event.owner), event);
      } else this.#ledger.project(event, applied);
    }
    this.#addAction(applied);
    this.#addEffects(applied);
    this.#cursor = { seq: applied.seq, checksum: applied.checksum };
  }

  /**
   * Records a command of the operator. The evidence of an order is a signature, not who asked and
   * why. A rejected or repeated command changes nothing: it is journaled only because other work
   * was due before it.
   */
  #addAction({ seq, timeMs, command, events, evidence }: ProjectedCommand): void {
    if (command.kind === 'place_order') return;
    if (!isAttribution(evidence) || !events.every(isChange)) return;
    const { by, reason, approval } = evidence;
    this.#statements.insertAction.run(
      seq,
      timeMs,
      command.kind,
      by,
      reason,
      approval?.by ?? '',
      approval?.reason ?? '',
      JSON.stringify(command),
    );
  }

  #addEffects({ seq, events }: ProjectedCommand): void {
    const text = writeEffects(events, (orderId) => this.#orders.keyOf(orderId));
    if (text !== undefined) this.#statements.insertEffects.run(seq, text);
  }

  #addMarket({ command, seq }: ProjectedCommand, event: MarketCreated): void {
    assert(command.kind === 'create_market', 'a market is created by its own command');
    const marketKey = this.#names.addMarket(event.conditionId, command.tokenIds, seq);
    this.#prices.add(event.conditionId, marketKey, command.tickTicks);
    this.#ledger.markets.add(marketKey);
  }

  #projectOrder(applied: ProjectedCommand, event: EngineEvent): void {
    if (event.kind === 'order_accepted') this.#openOrder(applied, event);
    else if (event.kind === 'order_delayed') this.#orders.delay(event.orderId, event.releaseMs);
    else if (event.kind === 'order_released') this.#orders.release(event.orderId, applied.timeMs);
  }

  #openOrder({ seq, timeMs, command }: ProjectedCommand, event: OrderAccepted): void {
    assert(command.kind === 'place_order', 'an order is accepted by its own command');
    const { accountKey, ownerKey } = this.#names.account(event.account);
    const { marketKey, outcome } = this.#names.token(command.tokenId);
    const { orderId } = event;
    const of = { accountKey, ownerKey, marketKey, outcome };
    this.#orders.open({ orderKey: seq, orderId, command, timeMs, ...of });
  }

  #addTrade(applied: ProjectedCommand, trade: TradeHead): void {
    const { seq, timeMs } = applied;
    const first = known(trade.fills[0]);
    const tradeKey = this.#lastTradeKey + 1;
    this.#lastTradeKey = tradeKey;
    const marketKey = this.#names.market(first.conditionId);
    this.#statements.insertTrade.run(
      tradeKey,
      Buffer.from(trade.tradeId.replaceAll('-', ''), 'hex'),
      bytesOf(trade.transactionHash),
      seq,
      timeMs,
      trade.bucket,
      marketKey,
      trade.priceTicks,
      trade.lots,
    );
    this.#volumes.add(marketKey, timeMs, trade);
    this.#ledger.projectTrade(trade, timeMs);
    const parties = [takerOfAll(first, trade), ...trade.fills.map(makerOf)];
    this.#raisePeaks(tradeKey, parties);
    for (const [ordinal, party] of parties.entries()) {
      const notice = this.#addParty(party, { tradeKey, marketKey, timeMs, ordinal });
      const isAnswered = ordinal === 0 && this.#isAnswered(applied, party.orderId, notice.orderKey);
      if (!isAnswered) this.#notices.addOrderNotice(notice);
    }
  }

  #raisePeaks(tradeKey: number, parties: readonly FillParty[]): void {
    const mostLots = Math.max(...parties.map(({ lots }) => lots));
    const mostMicros = Math.max(...parties.map((party) => cashFor(party.lots, party.priceTicks)));
    for (const span of Object.values(PEAK_SPANS)) {
      this.#statements.raisePeak.run(span, Math.floor(tradeKey / span), mostLots, mostMicros);
    }
  }

  /** Whether the answer to a taker shows its fills: this is a step of it, and it had no delay. */
  #isAnswered({ seq, events }: ProjectedCommand, orderId: string, orderKey: number): boolean {
    if (orderKey === seq) return true;
    const isContinued = events.some(
      (event) => event.kind === 'order_continued' && event.orderId === orderId,
    );
    return isContinued && !this.#orders.wasDelayed(orderId);
  }

  /** Adds one participant's row, and its fill to the order. */
  #addParty(party: FillParty, { tradeKey, marketKey, timeMs, ordinal }: PartyPlace): OrderNotice {
    const { lots, priceTicks, feeMicros } = party;
    const { accountKey, ownerKey } = this.#names.account(party.account);
    const micros = cashFor(lots, priceTicks);
    const order = this.#orders.fill(party.orderId, { lots, micros, feeMicros, timeMs });
    const { orderKey, filledLots, builder } = order;
    if (builder !== null) this.#builders.add({ builder, accountKey, timeMs, micros, lots });
    this.#holdings.trade({ party, accountKey, marketKey, orderKey, builder, timeMs });
    this.#statements.insertParty.run(
      tradeKey,
      ordinal,
      orderKey,
      accountKey,
      marketKey,
      party.outcome,
      party.side,
      priceTicks,
      lots,
      builder,
      feeMicros,
      party.builderFeeMicros,
      party.feeBps,
    );
    return { ownerKey, timeMs, orderKey, filledLots, tradeKey, ordinal };
  }

  #closeOrder({ seq, timeMs }: ProjectedCommand, event: OrderClosed): void {
    const { orderKey, filledLots } = this.#orders.close(event, { seq, timeMs });
    if (EXPECTED.has(event.reason)) return;
    const { ownerKey } = this.#names.account(event.account);
    const noTrade = { tradeKey: null, ordinal: null };
    this.#notices.addOrderNotice({ ownerKey, timeMs, orderKey, filledLots, ...noTrade });
  }

  #resolve(timeMs: number, event: MarketResolved): void {
    const { conditionId, payoutTicks } = event;
    const holders = [...this.#holdersOf(conditionId)];
    const holdings = holders.map(({ account, yesLots, noLots }) => {
      return { ownerKey: this.#names.account(account).ownerKey, yesLots, noLots };
    });
    const marketKey = this.#names.market(conditionId);
    this.#notices.addResolution({ timeMs, marketKey, payoutTicks }, holdings);
    this.#ledger.resolve(event, holders, timeMs);
  }
}

function isAttribution(evidence: unknown): evidence is Attribution {
  return (
    typeof evidence === 'object' &&
    evidence !== null &&
    'by' in evidence &&
    typeof evidence.by === 'string' &&
    'reason' in evidence &&
    typeof evidence.reason === 'string'
  );
}

interface PartyPlace {
  readonly tradeKey: number;
  readonly marketKey: number;
  readonly timeMs: number;
  /** 0 for the taker. */
  readonly ordinal: number;
}

function takerOfAll(first: Fill, { fills, lots }: TradeHead): FillParty {
  const sides = fills.map(takerOf);
  const feeMicros = micros(sides.reduce((sum, side) => sum + side.feeMicros, 0));
  const builderFeeMicros = micros(sides.reduce((sum, side) => sum + side.builderFeeMicros, 0));
  return { ...takerOf(first), lots, feeMicros, builderFeeMicros };
}
