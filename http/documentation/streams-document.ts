/**
 * The AsyncAPI 3.0 document of the streams, made from the table of channels. It speaks as the
 * exchange: it receives what clients ask, and sends what it tells.
 *
 * Invariant: every channel of the table is in it with all of its messages, each with an example.
 */
import { type ClosingCode, STREAM_FAULTS } from '../streams/delivery/index.ts';
import { API_VERSION } from './document.ts';
import { expanded, type Json, type JsonObject, toJson } from './schema.ts';
import { exampleOfMessage } from './stream-examples.ts';
import { LIVE_CHANNEL } from './streams-live.ts';
import { MARKET_CHANNEL } from './streams-market.ts';
import type { StreamChannel, StreamMessage } from './streams-message.ts';
import { USER_CHANNEL } from './streams-user.ts';

export const STREAM_CHANNELS: readonly StreamChannel[] = [
  MARKET_CHANNEL,
  USER_CHANNEL,
  LIVE_CHANNEL,
];

const ASYNCAPI_VERSION = '3.0.0';
const JSON_TYPE = 'application/json';
/** Of the binding of WebSockets. */
const BINDING_VERSION = '0.1.0';

const DESCRIPTION = [
  'WebSockets on the public listener, beside the routes of `/openapi.json`. While the exchange',
  'starts or stops, an upgrade is answered 425 `service_not_ready`.',
  '',
  '- One JSON object a frame, both ways. The text `PING`, in any case, is answered with `PONG`.',
  '- **Nothing is told that a crash could take back**: a message is sent when its command is on',
  '  the disk.',
  '- **Nothing is skipped in silence.** Whoever reads too slowly is closed or, where not even that',
  '  can be said, cut (1006). On the market and the user channel a `sequence` makes any loss show.',
  '- **Coming back.** There, `resume` with the `stream_id` and `sequence` of the last message is',
  '  answered with what was missed, or with a fresh state and the reason why.',
  '- What can not be carried out is answered with an `error`, and the socket stays.',
  '- Each channel lists its close codes in `x-close-codes`.',
].join('\n');

function serverOf(protocol: 'ws' | 'wss', description: string): JsonObject {
  return {
    host: '{address}',
    protocol,
    description,
    variables: {
      address: {
        default: '127.0.0.1:8080',
        description: 'Host and port of the public listener, the ones that this document came from',
      },
    },
  };
}

const SERVERS: JsonObject = {
  plain: serverOf('ws', 'This exchange'),
  secure: serverOf('wss', 'This exchange with TLS, by itself or by a proxy'),
};

function reference(...steps: readonly string[]): JsonObject {
  return { $ref: `#/${steps.join('/')}` };
}

/** The messages of a channel by the names that they have in it. */
function messagesOf({ asked, told }: StreamChannel): readonly StreamMessage[] {
  return [...asked, ...told];
}

function keyOf(channel: StreamChannel, { name }: StreamMessage): string {
  return `${channel.name}.${name}`;
}

function messageOf(channel: StreamChannel, message: StreamMessage): JsonObject {
  const { name, summary, payload, contentType = JSON_TYPE } = message;
  const example = exampleOfMessage(keyOf(channel, message));
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

function channelOf(channel: StreamChannel): JsonObject {
  const { address, title, description, closings } = channel;
  const messages = messagesOf(channel).map((message): [string, Json] => [
    message.name,
    reference('components', 'messages', keyOf(channel, message)),
  ]);
  return {
    address,
    title,
    description,
    messages: Object.fromEntries(messages),
    bindings: { ws: { method: 'GET', bindingVersion: BINDING_VERSION } },
    'x-close-codes': closings.map(closingOf),
  };
}

function operationsOf({ name, asked, told }: StreamChannel): JsonObject {
  const operation = (
    action: 'receive' | 'send',
    summary: string,
    messages: readonly StreamMessage[],
  ): JsonObject => ({
    action,
    channel: reference('channels', name),
    summary,
    messages: messages.map((one) => reference('channels', name, 'messages', one.name)),
  });
  return {
    [`${name}.receive`]: operation('receive', 'What clients ask', asked),
    [`${name}.send`]: operation('send', 'What they are told', told),
  };
}

function messagesIn(channel: StreamChannel): readonly [string, JsonObject][] {
  return messagesOf(channel).map((message) => [
    keyOf(channel, message),
    messageOf(channel, message),
  ]);
}

export function asyncApiDocument(): JsonObject {
  return {
    asyncapi: ASYNCAPI_VERSION,
    info: { title: 'outcome-exchange: streams', version: API_VERSION, description: DESCRIPTION },
    servers: SERVERS,
    defaultContentType: JSON_TYPE,
    channels: Object.fromEntries(
      STREAM_CHANNELS.map((channel) => [channel.name, channelOf(channel)]),
    ),
    operations: Object.assign({}, ...STREAM_CHANNELS.map(operationsOf)),
    components: { messages: Object.fromEntries(STREAM_CHANNELS.flatMap(messagesIn)) },
  };
}
