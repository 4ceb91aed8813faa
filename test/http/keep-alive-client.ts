// Requests over connections that are kept, with a body on any method: `fetch` allows none on GET,
// and many thousands of requests in a row should not each open a socket.
import { Agent, request } from 'node:http';

export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** How long any answer may take: a longer silence is a request that hangs. */
const PATIENCE_MS = 10_000;

export class KeepAliveClient {
  readonly #host: string;
  readonly #port: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = port;
  }

  /**
   * The path is sent unchanged, dots included. Rejects if the connection is cut or no answer
   * comes in PATIENCE_MS.
   */
  send({ method, path, headers = {}, body }: PlainRequest): Promise<PlainAnswer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const address = { host: this.#host, port: this.#port, agent: this.#agent };
      const outgoing = request(
        { ...address, method, path, headers: { ...headers, ...length } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const contentType = response.headers['content-type'] ?? '';
            resolve({ status: response.statusCode ?? 0, contentType, text });
          });
        },
      );
      outgoing.setTimeout(PATIENCE_MS, () =>
        outgoing.destroy(new Error(`no answer to ${method} ${path} in ${PATIENCE_MS} ms`)),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
