/**
 * Polymarket's client of live data on `/ws/live`, with one subscription for each row that the
 * package's README lists, while people trade, comment and react.
 */
import { RealTimeDataClient } from '@polymarket/real-time-data-client';
import type { Trader } from '../../http/exchange-fixture.ts';
import type { Stage } from '../stage.ts';

type Options = ConstructorParameters<typeof RealTimeDataClient>[0] & object;
type Message = Parameters<Options['onMessage'] & object>[1];
type Subscriptions = Parameters<RealTimeDataClient['subscribe']>[0]['subscriptions'];

export interface RealTimeScene {
  readonly stage: Stage;
  readonly client: RealTimeDataClient;
  /** The slug of the event of the stage's market, and the event's numeric id. */
  readonly eventSlug: string;
  readonly eventId: number;
  /** Has an account, and comments. */
  readonly speaker: Trader;
  /** All that came, in order. */
  readonly messages: readonly Message[];
  /** Waits for a message of a topic and type that came after the first `seen` messages. */
  next(topic: string, type: string, seen: number): Promise<Message>;
  /** Ends when the socket is closed. */
  disconnect(): Promise<void>;
}

/** `topic` and `type` of each row of the README's table. */
export const TOPICS = [
  ...['activity trades', 'activity orders_matched'],
  ...['comments comment_created', 'comments comment_removed'],
  ...['comments reaction_created', 'comments reaction_removed'],
  ...['rfq request_created', 'rfq request_edited', 'rfq request_canceled', 'rfq request_expired'],
  ...['rfq quote_created', 'rfq quote_edited', 'rfq quote_canceled', 'rfq quote_expired'],
  ...['crypto_prices update', 'clob_user order', 'clob_user trade'],
  ...['clob_market price_change', 'clob_market agg_orderbook', 'clob_market last_trade_price'],
  ...['clob_market tick_size_change', 'clob_market market_created', 'clob_market market_resolved'],
] as const;

interface Filters {
  readonly eventSlug: string;
  readonly eventId: number;
}

type Subscriber = Filters & { readonly stage: Stage };

/** As the README has them: filters are JSON text. */
export function subscriptionsOf({ stage, eventSlug, eventId }: Subscriber): Subscriptions {
  const filtersOf: Readonly<Record<string, string>> = {
    activity: JSON.stringify({ event_slug: eventSlug }),
    comments: JSON.stringify({ parentEntityID: eventId, parentEntityType: 'Event' }),
    crypto_prices: JSON.stringify({ symbol: 'btcusdt' }),
    clob_market: JSON.stringify([stage.yes, stage.no]),
  };
  return TOPICS.map((row) => {
    const [topic = '', type = ''] = row.split(' ');
    const filters = filtersOf[topic];
    return {
      topic,
      type,
      ...(filters === undefined ? {} : { filters }),
      ...(topic === 'clob_user' ? { clob_auth: stage.bob.credentials } : {}),
    };
  });
}

function eventOf({ exchange, conditionId }: Stage): Filters {
  const { lookup } = exchange.running.services.exchange.catalog;
  const market = lookup.marketByCondition(conditionId);
  if (market === undefined) throw new Error('the catalog has the market');
  return { eventSlug: market.eventSlug, eventId: Number(market.eventId) };
}

/** Connects and subscribes to everything. */
export async function startRealTimeScene(stage: Stage): Promise<RealTimeScene> {
  const event = eventOf(stage);
  const messages: Message[] = [];
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  let isConnected = false;
  const client = new RealTimeDataClient({
    host: `${stage.exchange.running.url.replace('http', 'ws')}/ws/live`,
    onConnect: (client) =>
      client.subscribe({ subscriptions: subscriptionsOf({ stage, ...event }) }),
    onMessage: (_, message) => {
      messages.push(message);
      wake();
    },
    onStatusChange: (status) => {
      isConnected = `${status}` === 'CONNECTED';
      wake();
    },
  });
  const until = async <Found>(find: () => Found | undefined | false): Promise<Found> => {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
  };
  client.connect();
  await until(() => isConnected);
  return {
    ...{ stage, client, messages, ...event },
    speaker: await stage.exchange.trader(1),
    next: (topic, type, seen) =>
      until(() => messages.slice(seen).find((one) => one.topic === topic && one.type === type)),
    disconnect: async () => {
      client.disconnect();
      await until(() => !isConnected);
    },
  };
}
