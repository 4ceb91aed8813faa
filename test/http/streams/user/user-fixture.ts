// Clients of the user channel.
import type { TestExchange, Trader } from '../../exchange-fixture.ts';
import { StreamClient } from '../stream-client.ts';

/** What proves who a trader is. */
export function authOf({ credentials }: Pick<Trader, 'credentials'>) {
  const { apiKey: apikey, secret, passphrase } = credentials;
  return { apikey, secret, passphrase };
}

export function connectUser({ running }: TestExchange): Promise<StreamClient> {
  return StreamClient.open(running.url, '/ws/user');
}

/** A client that was answered everything about its first message. */
export async function subscribeUser(
  exchange: TestExchange,
  trader: Trader,
  changes: object = {},
): Promise<StreamClient> {
  const client = await connectUser(exchange);
  client.send({ type: 'user', markets: [], auth: authOf(trader), ...changes });
  await client.settled();
  return client;
}
