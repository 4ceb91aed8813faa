/** Nodes of a cluster in one process: real sockets and threads, and a log in memory. */

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ClusterOptions } from '../../../cluster/cluster.ts';
import type { Command } from '../../../engine/index.ts';
import type { Applied, Exchange } from '../../../persistence/index.ts';
import { StoreError } from '../../../persistence/index.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { type NodeExchange, type OpenNodeOptions, openNode } from '../open-node.ts';
import { MemoryLogs } from './memory-log.ts';

export interface NodeChanges extends Partial<Omit<OpenNodeOptions, 'cluster'>> {
  readonly cluster?: Partial<ClusterOptions>;
}

export class TestCluster {
  readonly logs = new MemoryLogs();
  /** What ended a node. */
  readonly failures = new Map<string, Error>();
  readonly #scope: Scope;
  readonly #folder: string;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#folder = temporaryFolder(scope);
  }

  folderOf(node: string): string {
    return join(this.#folder, node);
  }

  async open(
    role: ClusterOptions['role'],
    node: string,
    { cluster, onEvent, ...changes }: NodeChanges = {},
  ): Promise<NodeExchange> {
    const exchange = await openNode({
      dataDir: this.folderOf(node),
      openLog: this.logs.open,
      onEvent: (event) => {
        if (event.kind === 'failed') this.failures.set(node, event.error);
        onEvent?.(event);
      },
      cluster: { role, node, ...cluster },
      ...changes,
    });
    this.#scope.teardown(() => exchange.close());
    if (role === 'core') await exchange.catalog.found();
    return exchange;
  }
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has a port');
  return address.port;
}

/** Sends a command again until a core has answered it, as clients do. */
export async function submitUntilAnswered(exchange: Exchange, command: Command): Promise<Applied> {
  for (;;) {
    try {
      return await exchange.submit(command);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'no_core')) throw error;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/** Passes bytes on in both directions, and cuts the connection after a number of them. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The port that connections go on to. */
  targetPort = 0;
  /** How many bytes from the core pass before the next cut. */
  bytesUntilCut = Number.POSITIVE_INFINITY;
  cuts = 0;

  constructor(scope: Scope) {
    this.#server = createServer((socket) => this.#pass(socket));
    scope.teardown(() => this.close());
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return portOf(this.#server);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(socket: Socket): void {
    const onward = connect(this.targetPort, '127.0.0.1');
    for (const one of [socket, onward]) {
      this.#sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        socket.destroy();
        onward.destroy();
      });
    }
    socket.on('data', (chunk) => onward.write(chunk));
    onward.on('data', (chunk: Buffer) => {
      this.bytesUntilCut -= chunk.length;
      if (this.bytesUntilCut > 0) {
        socket.write(chunk);
        return;
      }
      socket.write(chunk.subarray(0, Math.max(0, chunk.length + this.bytesUntilCut)));
      this.bytesUntilCut = Number.POSITIVE_INFINITY;
      this.cuts += 1;
      onward.destroy();
      socket.destroySoon();
    });
  }
}
