// Account holders who comment on a running exchange, and what the tests of this folder send.
import type { Test } from 'tap';
import {
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../../../http/exchange-fixture.ts';
import { StreamClient } from '../../../http/streams/stream-client.ts';

/** A body of any shape. A test reads the fields that it expects, or fails. */
export type Value = Readonly<Record<string, unknown>>;

export interface Told {
  readonly status: number;
  readonly body: Value;
}

export interface Speakers {
  readonly exchange: TestExchange;
  readonly ada: Trader;
  readonly ben: Trader;
  /** Numeric id of an event of the built-in catalog, and of its first market. */
  readonly eventId: number;
  readonly eventSlug: string;
  readonly marketId: number;
}

/** One exchange for the tests of a file; each call gives its own speakers and event. */
export async function shareSpeakers(t: Pick<Test, 'teardown'>): Promise<() => Promise<Speakers>> {
  const share = await shareTestExchange(t);
  const taken = new Set<string>();
  return async () => {
    for (;;) {
      const exchange = share();
      const { lookup } = exchange.running.services.exchange.catalog;
      const market = lookup.marketByCondition(exchange.plain.conditionId);
      if (market === undefined) throw new Error('the built-in catalog has no such market');
      if (taken.has(market.eventId)) continue;
      taken.add(market.eventId);
      return {
        exchange,
        ada: await exchange.trader(1),
        ben: await exchange.trader(2),
        eventId: Number(market.eventId),
        eventSlug: market.eventSlug,
        marketId: Number(market.id),
      };
    }
  };
}

export async function ask(
  who: Trader,
  method: string,
  path: string,
  value?: unknown,
): Promise<Told> {
  const { status, text } = await who.signed(method, path, value);
  return { status, body: JSON.parse(text) };
}

/** Posts a comment on the event; returns the answer and the comment's id. */
export async function say(
  { eventId }: Speakers,
  who: Trader,
  changes: Value = {},
): Promise<Told & { readonly id: string }> {
  const told = await ask(who, 'POST', '/comments', {
    body: 'Clouds coming in.',
    parent_entity_type: 'Event',
    parent_entity_id: eventId,
    ...changes,
  });
  return { ...told, id: `${told.body.id}` };
}

/** Opens a client of the live-data channel and subscribes it. */
export async function listen(
  t: Test,
  { exchange }: Speakers,
  subscriptions: readonly Value[],
): Promise<StreamClient> {
  const client = await StreamClient.open(exchange.running.url, '/ws/live');
  t.teardown(() => client.close());
  client.send({ action: 'subscribe', subscriptions });
  await client.settled();
  return client;
}
