// Clients of the user channel.
import type { TestExchange, Trader } from '../../exchange-fixture.ts';
import { StreamClient } from '../stream-client.ts';

/** The credentials of a trader, as the user channel expects them. */
export function authOf({ credentials }: Pick<Trader, 'credentials'>) {
  const { apiKey: apikey, secret, passphrase } = credentials;
  return { apikey, secret, passphrase };
}

export function connectUser({ running }: TestExchange): Promise<StreamClient> {
  return StreamClient.open(running.url, '/ws/user');
}

/** A client that has received the whole answer to its first message. */
export async function subscribeUser(
  exchange: TestExchange,
  trader: Trader,
  changes: object = {},
): Promise<StreamClient> {
  const client = await connectUser(exchange);
  const wishes = { markets: [], custom_feature_enabled: true, ...changes };
  client.send({ type: 'user', auth: authOf(trader), ...wishes });
  await client.settled();
  return client;
}
