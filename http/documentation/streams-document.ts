/**
 * Makes the AsyncAPI 3.0 document of the streams from the schemas of the channels. `receive` and
 * `send` are from the exchange's point of view.
 *
 * Invariant: it contains every channel with all its messages, each written out in full and with an
 * example. The keywords of the schemas mean the same in JSON Schema 2020-12 and in AsyncAPI.
 */
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import type { Settings } from '../settings/settings.ts';
import {
  type ChannelDocument,
  type ClosingCode,
  STREAM_CHANNELS,
  STREAM_FAULTS,
  type StreamMessage,
} from '../streams/index.ts';
import { exampleOfMessage, expanded, type Json, type JsonObject, toJson } from './schema.ts';

const ASYNCAPI_VERSION = '3.0.0';
const JSON_TYPE = 'application/json';
const BINDING_VERSION = '0.1.0';

const DESCRIPTION = [
  'WebSockets on the public listener, beside the routes of `/openapi.json`. While the exchange',
  'starts or stops, an upgrade is answered 425 `service_not_ready`.',
  '',
  '- Each frame holds one JSON object, both ways. The text `PING` in upper or lower case is ' +
    'answered',
  '  with `PONG`.',
  '- **A crash never takes a message back**: each is sent after its command is durable.',
  '- **No message is skipped silently.** The socket of a client that reads too slowly is ' +
    'closed, or',
  '  cut (1006) if there is no room for a close message. On the market and user channels a',
  '  `sequence` shows any loss.',
  '- **Resuming.** On these two channels, `resume` with the `stream_id` and `sequence` of the last',
  '  message is answered with the missed messages, or with a reason and the current state.',
  '- A message that is not valid is answered with an `error`; the socket stays open.',
  '- Each channel lists its close codes in `x-close-codes`.',
].join('\n');

/**
 * The servers of the document. `host` is that of the request for it (`Site`), because only the
 * client knows at which address it reaches the exchange.
 */
export function serversOf(host: string, { tls, port }: Pick<Settings, 'tls' | 'port'>): JsonObject {
  const address = host === '' ? `127.0.0.1:${port}` : host;
  const secure = { host: address, protocol: 'wss', description: 'This exchange with TLS' };
  if (tls !== undefined) return { secure };
  return {
    plain: { host: address, protocol: 'ws', description: 'This exchange' },
    secure: { ...secure, description: 'This exchange behind a proxy with TLS' },
  };
}

function reference(...steps: readonly string[]): JsonObject {
  return { $ref: `#/${steps.join('/')}` };
}

function messageOf(key: string, name: string, message: StreamMessage): JsonObject {
  const { summary, payload, contentType = JSON_TYPE } = message;
  const example = exampleOfMessage(key);
  return {
    name,
    summary,
    contentType,
    payload: expanded(toJson(payload), new Map()),
    ...(example === undefined ? {} : { examples: [{ payload: example }] }),
  };
}

function closingOf(code: ClosingCode): JsonObject {
  const { closeCode, text, docs } = STREAM_FAULTS[code];
  return { closeCode, code, reason: text, description: docs };
}

function channelOf({ name, received, sent, ...channel }: ChannelDocument): JsonObject {
  const messages = Object.keys({ ...received, ...sent }).map((message): [string, Json] => [
    message,
    reference('components', 'messages', `${name}.${message}`),
  ]);
  return {
    address: channel.address,
    title: channel.title,
    description: channel.description.join('\n'),
    messages: Object.fromEntries(messages),
    bindings: { ws: { method: 'GET', bindingVersion: BINDING_VERSION } },
    'x-close-codes': channel.closings.map(closingOf),
  };
}

function operationsOf({ name, received, sent }: ChannelDocument): JsonObject {
  const operation = (
    action: 'receive' | 'send',
    summary: string,
    messages: object,
  ): JsonObject => ({
    action,
    channel: reference('channels', name),
    summary,
    messages: Object.keys(messages).map((one) => reference('channels', name, 'messages', one)),
  });
  return {
    [`${name}.receive`]: operation('receive', 'Messages from clients', received),
    [`${name}.send`]: operation('send', 'Messages to clients', sent),
  };
}

function messagesIn({ name, received, sent }: ChannelDocument): readonly [string, JsonObject][] {
  return Object.entries({ ...received, ...sent }).map(([message, described]) => {
    const key = `${name}.${message}`;
    return [key, messageOf(key, message, described)];
  });
}

export function asyncApiDocument(): JsonObject {
  return {
    asyncapi: ASYNCAPI_VERSION,
    info: {
      title: 'outcome-exchange: streams',
      version: PROGRAM_VERSION,
      description: DESCRIPTION,
    },
    defaultContentType: JSON_TYPE,
    channels: Object.fromEntries(
      STREAM_CHANNELS.map((channel) => [channel.name, channelOf(channel)]),
    ),
    operations: Object.assign({}, ...STREAM_CHANNELS.map(operationsOf)),
    components: { messages: Object.fromEntries(STREAM_CHANNELS.flatMap(messagesIn)) },
  };
}
