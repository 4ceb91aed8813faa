/** Ports for processes that must know each other's addresses before they start. */
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below those that a system gives to outgoing connections, which may take the port of a process
 * between its end and its next start.
 */
const FIRST_PORT = 18_000;
const LAST_PORT = 32_000;

/** Undefined if the port is taken. */
function listen(host: string, port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => resolve(server));
  });
}

/**
 * Distinct ports that were free a moment ago, in order from a random one. All are held until the
 * last one is found. Another program may take one before it is used: its user then fails.
 */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const held = new Map<number, Server>();
  for (let port = randomInt(FIRST_PORT, LAST_PORT); held.size < count; port += 1) {
    if (port > 65_535) throw new Error(`${host} has no ${count} free ports`);
    const server = await listen(host, port);
    if (server !== undefined) held.set(port, server);
  }
  await Promise.all(
    [...held.values()].map((server) => new Promise<void>((done) => server.close(() => done()))),
  );
  return [...held.keys()];
}
