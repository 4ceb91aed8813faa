/**
 * A connection between a page and an exchange that a test can disturb. It is a server of its own
 * that passes all bytes on, so the page sees what it sees when a network fails.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net';
import type { Scope } from '../temporary-folder.ts';

const LOOPBACK = '127.0.0.1';
/** In the first bytes of a connection, if it will be a WebSocket. Browsers never reuse others. */
const UPGRADE = /^upgrade: *websocket/im;

type Disturbance = 'none' | 'sockets lost' | 'all lost' | 'frozen';

/** The two ends of a connection that passes through. */
interface Passage {
  readonly client: Socket;
  readonly server: Socket;
  readonly isSocket: boolean;
}

export interface Link {
  /** The address of the exchange for the page: an origin without a path. */
  readonly url: string;
  /** Ends all WebSockets, and refuses new ones until `restore`. */
  loseSockets(): void;
  /** Ends all connections, and refuses new ones until `restore`. */
  loseAll(): void;
  /** Leaves connections open but passes nothing on until `restore`, which passes it on late. */
  freeze(): void;
  restore(): void;
}

function flow({ client, server }: Passage): void {
  client.pipe(server);
  server.pipe(client);
}

/** Unpiped sources stop reading, so what arrives waits in the buffers of the system. */
function stop({ client, server }: Passage): void {
  client.unpipe(server);
  server.unpipe(client);
}

class Passages {
  readonly #port: number;
  readonly #open = new Set<Passage>();
  #disturbance: Disturbance = 'none';

  constructor(port: number) {
    this.#port = port;
  }

  #refuses(isSocket: boolean): boolean {
    if (this.#disturbance === 'all lost') return true;
    return isSocket && this.#disturbance === 'sockets lost';
  }

  accept(client: Socket): void {
    // A connection that one side ends without its last words is what tests here are about.
    client.on('error', () => client.destroy());
    if (this.#disturbance === 'all lost') client.destroy();
    else client.once('data', (head: Buffer) => this.#connect(client, head));
  }

  #connect(client: Socket, head: Buffer): void {
    const isSocket = UPGRADE.test(head.toString('latin1'));
    if (this.#refuses(isSocket)) {
      client.destroy();
      return;
    }
    client.pause();
    const server = tcpConnect(this.#port, LOOPBACK);
    server.on('error', () => server.destroy());
    server.write(head);
    const passage = { client, server, isSocket };
    this.#open.add(passage);
    server.once('close', () => client.destroy());
    client.once('close', () => {
      server.destroy();
      this.#open.delete(passage);
    });
    if (this.#disturbance !== 'frozen') flow(passage);
  }

  disturb(disturbance: Disturbance): void {
    this.#disturbance = disturbance;
    for (const passage of this.#open) {
      if (this.#refuses(passage.isSocket)) passage.client.destroy();
      else {
        // Also before it flows again, because a pipe that is laid twice passes everything twice.
        stop(passage);
        if (disturbance !== 'frozen') flow(passage);
      }
    }
  }
}

/** Opens a link to the exchange at `url`; the end of `t` closes it. */
export async function openLink(t: Scope, url: string): Promise<Link> {
  const passages = new Passages(Number(new URL(url).port));
  const listener = createServer((client) => passages.accept(client));
  listener.listen(0, LOOPBACK);
  await once(listener, 'listening');
  t.teardown(() => {
    passages.disturb('all lost');
    listener.close();
  });
  // Safe: a server that listens on a port has an address of this form.
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    loseSockets: () => passages.disturb('sockets lost'),
    loseAll: () => passages.disturb('all lost'),
    freeze: () => passages.disturb('frozen'),
    restore: () => passages.disturb('none'),
  };
}
