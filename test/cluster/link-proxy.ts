/**
 * A TCP proxy between two parts of a cluster on one machine. It can drop what comes from either
 * side without a word, as a cut cable does, and lose single answers.
 *
 * Invariant: while nothing is dropped it passes each byte on, in order. Bound: what is dropped is
 * not kept; connections that lost bytes are closed by `heal`, since a TCP stream with a hole is
 * none.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type Direction = 'forward' | 'backward';

export class LinkProxy {
  readonly #server: Server;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #dropped = new Set<Direction>();
  #loses: ((request: string) => boolean) | undefined;
  /** How many answers `loseAnswer` has dropped. */
  lost = 0;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    // Both ends are closed one by one, so that the end of a stream passes through too.
    this.#server = createServer({ allowHalfOpen: true }, (near) => this.#accept(near));
  }

  static async open(host: string, port: number): Promise<LinkProxy> {
    const proxy = new LinkProxy({ host, port });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a proxy has a port');
    return address.port;
  }

  /** `forward`: what comes from the side that connects. */
  cut(direction: Direction): void {
    this.#dropped.add(direction);
  }

  /** Passes everything on again. Connections that may have lost something are reset. */
  heal(): void {
    if (this.#dropped.size > 0) this.#reset();
    this.#dropped.clear();
  }

  /**
   * Loses the answer to the next request for which `isMeant` returns true: the request arrives, and
   * the connection ends before any byte of the answer.
   */
  loseAnswer(isMeant: (request: string) => boolean): void {
    this.#loses = isMeant;
  }

  #reset(): void {
    for (const [near, far] of this.#pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  #accept(near: Socket): void {
    const far = connect({ ...this.#target, allowHalfOpen: true });
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    let isDoomed = false;
    near.on('data', (bytes) => {
      if (this.#dropped.has('forward')) return;
      if (this.#loses?.(bytes.toString('latin1')) === true) {
        this.#loses = undefined;
        isDoomed = true;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isDoomed) {
        this.lost += 1;
        near.resetAndDestroy();
        far.resetAndDestroy();
        return;
      }
      if (!this.#dropped.has('backward')) near.write(bytes);
    });
    near.on('end', () => {
      if (!this.#dropped.has('forward')) far.end();
    });
    far.on('end', () => {
      if (!this.#dropped.has('backward')) near.end();
    });
    const close = (): void => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) {
      // The other side sees the end of the connection.
      socket.on('error', close);
      socket.on('close', close);
    }
  }

  close(): void {
    this.#server.close();
    this.#reset();
  }
}
