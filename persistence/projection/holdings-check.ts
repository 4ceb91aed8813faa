/**
 * Compares what analytics.db shows of holdings with the engine after the same command: the cash of
 * each account, the tokens and the sums of each position, and the tokens of each market. SQLite has
 * no checksums, so a flipped bit in a page that is still well formed is a wrong figure. `verify`
 * compares all other tables, which takes a replay of the journal.
 *
 * Invariant: it changes nothing. Bound: one walk over the engine's accounts and their positions,
 * once for each life of the projector's thread: some ten microseconds each.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { AccountState, Engine } from '../../engine/index.ts';
import { assetOf, CASH, wideSum } from '../shared/index.ts';

interface PositionRow {
  readonly marketKey: number;
  readonly outcome: number;
  readonly lots: number;
  readonly costMicros: number;
  readonly paidMicros: string;
  readonly receivedMicros: string;
  readonly feeMicros: string;
  readonly realizedMicros: string;
}

interface MarketRow {
  readonly marketKey: number;
  readonly conditionId: string;
  readonly yesLots: number;
  readonly noLots: number;
}

/** The first difference; '' for none. */
export function holdingsFault(database: Database, engine: Engine): string {
  const { selectAccounts, selectMarkets, selectPositions, selectCash } = prepare(database);
  const accountKeys = new Map(selectAccounts.all());
  const markets = selectMarkets.all();
  const keys = new Map(markets.map(({ conditionId, marketKey }) => [conditionId, marketKey]));
  const issued = new Map<number, number>();
  for (const account of engine.state().accounts) {
    const { address, availableMicros, heldMicros } = account;
    const accountKey = accountKeys.get(address) ?? 0;
    const cash = selectCash.get(accountKey, CASH) ?? 0;
    const fault =
      different(`the micros of cash of ${address}`, cash, availableMicros + heldMicros) ||
      positionsFault(account, selectPositions.all(accountKey), keys);
    if (fault !== '') return fault;
    for (const { asset, lots } of tokensOf(account, keys)) {
      issued.set(asset, (issued.get(asset) ?? 0) + lots);
    }
  }
  for (const { marketKey, conditionId, yesLots, noLots } of markets) {
    const of = (outcome: number): number => issued.get(assetOf(marketKey, outcome)) ?? 0;
    const fault =
      different(`the YES lots of market ${conditionId}`, yesLots, of(0)) ||
      different(`the NO lots of market ${conditionId}`, noLots, of(1));
    if (fault !== '') return fault;
  }
  return '';
}

function different(what: string, shown: number, kept: number): string {
  return shown === kept ? '' : `${what} are ${shown}, and the journal gives ${kept}`;
}

type MarketKeys = ReadonlyMap<string, number>;

function tokensOf({ positions }: AccountState, keys: MarketKeys) {
  return positions.map(({ conditionId, outcome, availableLots, heldLots }) => ({
    asset: assetOf(keys.get(conditionId) ?? 0, outcome),
    lots: availableLots + heldLots,
  }));
}

function positionsFault(
  account: AccountState,
  rows: readonly PositionRow[],
  keys: MarketKeys,
): string {
  const tokens = new Map(tokensOf(account, keys).map(({ asset, lots }) => [asset, lots]));
  for (const row of rows) {
    const asset = assetOf(row.marketKey, row.outcome);
    const where = `in market ${row.marketKey}, outcome ${row.outcome}, of ${account.address}`;
    const fault = different(`the lots ${where}`, row.lots, tokens.get(asset) ?? 0);
    if (fault !== '') return fault;
    tokens.delete(asset);
    if (!addsUp(row)) return `the sums ${where} do not add up to what was realized`;
  }
  return tokens.size === 0 ? '' : `a position of ${account.address} is missing`;
}

/** As positions/schema.sql says. */
function addsUp(row: PositionRow): boolean {
  const [received, paid, fee, realized] = [
    row.receivedMicros,
    row.paidMicros,
    row.feeMicros,
    row.realizedMicros,
  ].map((text) => BigInt(wideSum(text)));
  if (received === undefined || paid === undefined || fee === undefined) return false;
  return realized === received - paid + BigInt(row.costMicros) - fee;
}

function prepare(database: Database) {
  const selectMarkets: Statement<[], MarketRow> = database.prepare(
    'SELECT market_key AS marketKey, condition_id AS conditionId, yes_lots AS yesLots, ' +
      'no_lots AS noLots FROM markets JOIN market_states USING (market_key)',
  );
  const selectPositions: Statement<[number], PositionRow> = database.prepare(
    'SELECT market_key AS marketKey, outcome, lots, cost_micros AS costMicros, ' +
      'paid_micros AS paidMicros, received_micros AS receivedMicros, fee_micros AS feeMicros, ' +
      'realized_micros AS realizedMicros FROM positions WHERE account_key = ?',
  );
  const selectCash: Statement<[number, number], number> = database
    .prepare<[number, number], number>(
      'SELECT amount FROM holding_points WHERE account_key = ? AND asset = ? ' +
        'ORDER BY minute DESC LIMIT 1',
    )
    .pluck();
  const selectAccounts: Statement<[], [string, number]> = database
    .prepare<[], [string, number]>('SELECT address, account_key FROM accounts')
    .raw();
  return { selectAccounts, selectMarkets, selectPositions, selectCash };
}
