/** Requests and answers as bytes of HTTP/1.1, for senders with sockets of their own. */
import type { LoadRequest } from './closed-loop.ts';

const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 4_096;

export function textOf({ method, path, headers, body }: LoadRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`${method} ${path} HTTP/1.1`, 'host: x', ...lines, length, '', body].join('\r\n');
}

/** Bytes of an answer according to its head; 0 while the head is incomplete. */
export function lengthOf(answer: string): number {
  const end = answer.indexOf(HEAD_END);
  if (end < 0 && answer.length < MAX_HEAD_BYTES) return 0;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  if (length === undefined)
    throw new Error(`an answer without content-length: ${answer.slice(0, end)}`);
  return end + HEAD_END.length + Number(length);
}
