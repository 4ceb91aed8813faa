/**
 * Requests to one node of etcd over HTTP or TLS, on connections that stay open. Invariant: a
 * request settles within its time. Bound: ANSWER_BYTES of an answer.
 */
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { codeOf, messageOf, StoreError } from '../../persistence/shared/index.ts';
import { CertificateRefusal, NoAnswerError } from './key-value-store.ts';
import type { LogTls } from './replicated-log.ts';

export interface EtcdAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpQuestion {
  readonly url: string;
  /** Sent by POST; without it the request is a GET. */
  readonly body?: string;
  readonly timeoutMs: number;
}

/** A page of entries in base64 has some 6 MB. */
const ANSWER_BYTES = 16 * 1024 * 1024;
/** An append, a prune and a few looks at the same time. */
const SOCKETS = 8;

export class EtcdHttp {
  readonly #plain = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  #tls: TlsAgent;

  /** Throws StoreError `log_refused` if the certificates can't be used. */
  constructor(tls: LogTls | undefined) {
    if (tls !== undefined) checkCertificates(tls);
    this.#tls = agentOf(tls);
  }

  /** Connections from now on use these certificates. */
  renew(tls: LogTls): void {
    this.#tls.destroy();
    this.#tls = agentOf(tls);
  }

  /** Rejects with NoAnswerError, which is a CertificateRefusal if a certificate is refused. */
  ask({ url, body, timeoutMs }: HttpQuestion): Promise<EtcdAnswer> {
    return new Promise((resolve, reject) => {
      const isTls = url.startsWith('https:');
      const method = body === undefined ? 'GET' : 'POST';
      const headers = { 'content-type': 'application/json' };
      const request = isTls
        ? requestTls(url, { method, headers, agent: this.#tls })
        : requestHttp(url, { method, headers, agent: this.#plain });
      const timer = setTimeout(() => {
        request.destroy(new NoAnswerError(`${url} did not answer within ${timeoutMs} ms`));
      }, timeoutMs);
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        end();
      };
      request.on('error', (error) => settle(() => reject(failureOf(url, error))));
      request.on('response', (response) => {
        readAnswer(request, response, (answer) => settle(() => resolve(answer)));
      });
      request.end(body);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

function agentOf(tls: LogTls | undefined): TlsAgent {
  return new TlsAgent({ keepAlive: true, maxSockets: SOCKETS, ...tls });
}

function readAnswer(
  request: ClientRequest,
  response: IncomingMessage,
  onAnswer: (answer: EtcdAnswer) => void,
): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  response.on('data', (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
    if (bytes <= ANSWER_BYTES) return;
    request.destroy(new NoAnswerError(`an answer has more than ${ANSWER_BYTES} bytes`));
  });
  response.on('error', (error) => request.destroy(error));
  response.on('end', () => {
    onAnswer({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
  });
}

function checkCertificates(tls: LogTls): void {
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new StoreError(
      'log_refused',
      `the certificates for etcd can't be used (${messageOf(error)}): --cluster-cert and ` +
        '--cluster-key must belong together, and all three files must be PEM',
    );
  }
}

/** What a connection fails with when one side refuses the other's certificate. */
const CERTIFICATE_CODES =
  /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ERR_SSL_.*(ALERT|UNKNOWN_CA)|ERR_TLS/;

function failureOf(url: string, error: Error): NoAnswerError {
  if (error instanceof NoAnswerError) return error;
  if (!CERTIFICATE_CODES.test(codeOf(error))) return new NoAnswerError(`${url}: ${error.message}`);
  return new CertificateRefusal(
    `${url} and this node don't accept each other's certificates (${error.message}): both must ` +
      'be signed by --cluster-ca, not be expired, and etcd’s must name the host of its URL',
  );
}
