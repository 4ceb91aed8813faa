// For tests of markets from creation to payout: an exchange without play money, three traders whose
// deposits are all the cash there is, and helpers.
import type { Test } from 'tap';
import { FEE_ACCOUNT } from '../../engine/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { ANSWERS_AT_ONCE } from '../default-settings.ts';
import {
  type OrderWishes,
  startTestExchange,
  type TestExchange,
  type Trader,
} from './exchange-fixture.ts';

/** Units of collateral that each trader deposits. */
export const DEPOSIT = 10_000;

export interface MadeMarket {
  readonly condition_id: string;
  readonly token_ids: readonly [string, string];
}

export interface Life {
  readonly exchange: TestExchange;
  readonly alice: Trader;
  readonly bob: Trader;
  readonly carol: Trader;
  /** An action of the operator that must succeed; returns its answer. */
  act(path: string, body: object): Promise<Told>;
  /** A request of a trader that must succeed; returns its answer. */
  ask(who: Trader, path: string, body: object): Promise<Told>;
  /** An order that must be accepted; returns its answer. */
  place(who: Trader, wishes: OrderWishes): Promise<Told>;
  /** Moves the clock and processes what is due then. */
  pass(ms: number): Promise<void>;
  /** The sums of collateral in the operator's audit. */
  collateral(): Promise<Told>;
  /** Units of cash of a trader that no order holds. */
  cashOf(who: { readonly address: string }): Promise<number>;
  /** Withdraws all cash of every account. */
  withdrawAll(): Promise<void>;
}

/** The body of an answer. A test reads the fields that it expects. */
export type Told = Readonly<Record<string, unknown>>;

function toldOf(what: string, { status, body }: { status: number; body: unknown }): Told {
  if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  return body as Told; // every answer of these routes is an object
}

export async function startLife(t: Test, settings: Partial<Settings> = {}): Promise<Life> {
  const given: Partial<Settings> = { funding: 'ledger', profile: ANSWERS_AT_ONCE, ...settings };
  const exchange = await startTestExchange(t, given);
  const { operator, clock, running } = exchange;
  const { exchange: store, registry } = running.services;
  const [alice, bob, carol] = [
    await exchange.trader(1),
    await exchange.trader(2),
    await exchange.trader(3),
  ];
  const act = async (path: string, body: object) =>
    toldOf(path, await operator('POST', path, body));
  const ask = async (who: Trader, path: string, body: object) =>
    toldOf(path, await who.signed('POST', path, body));
  const place = async (who: Trader, wishes: OrderWishes) =>
    toldOf(JSON.stringify(wishes), await who.place(wishes));
  for (const { address } of [alice, bob, carol]) {
    await act('/deposits', { account: address, amount: `${DEPOSIT}`, key: `in-${address}` });
  }
  const pass = async (ms: number): Promise<void> => {
    clock.ms += ms;
    // Setting the same state again only processes what is due.
    await act('/exchange/state', { state: registry.tradingState });
  };
  const accounts = () =>
    [alice.address, bob.address, carol.address, FEE_ACCOUNT].flatMap((owner) => [
      ...registry.accountsOf(owner),
    ]);
  return {
    exchange,
    alice,
    bob,
    carol,
    act,
    ask,
    place,
    pass,
    collateral: async () => {
      const { ok, collateral } = toldOf('/audit', await operator('GET', '/audit'));
      if (ok !== true) throw new Error('the audit found a fault');
      return collateral as Told; // as its route documents it
    },
    cashOf: async ({ address }) => (await store.balance(address, '')).available / 1_000_000,
    withdrawAll: async () => {
      for (const { address } of accounts()) {
        const { available } = toldOf(address, await operator('GET', `/accounts/${address}`));
        if (available === '0') continue;
        await act('/withdrawals', { account: address, amount: available, key: `out-${address}` });
      }
    },
  };
}

/** Creates an event as the operator; returns its id and its markets, in order. */
export async function createEvent(
  { act }: Life,
  body: object,
): Promise<{ readonly eventId: string; readonly markets: readonly MadeMarket[] }> {
  const { event_id, markets } = await act('/events', body);
  // As its route documents them.
  return { eventId: event_id as string, markets: markets as readonly MadeMarket[] };
}
