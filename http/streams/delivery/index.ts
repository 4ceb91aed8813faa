/**
 * What all WebSocket channels share: connections and their bounds, subscriptions, the messages kept
 * for resumes, and close codes. The hub publishes every message, and no client that misses one
 * stays connected.
 */
export { STREAM_BOUNDS, type StreamBounds } from './bounds.ts';
export type { Channel, ClientMessage, Session } from './channel.ts';
export {
  type ClosingCode,
  STREAM_FAULTS,
  StreamError,
  unknownNamesMessage,
} from './close-codes.ts';
export type { Connection } from './connection.ts';
export {
  type ChannelParts,
  type StreamContext,
  type StreamStore,
  streamContext,
} from './context.ts';
export {
  ALL_AT_ONCE,
  NO_FAULTS,
  type SocketFault,
  type SocketSubject,
  type StepSubject,
  type StreamFaults,
} from './faults.ts';
export { isObject, malformed, parseMessage } from './fields.ts';
export { SocketHub } from './hub.ts';
export { inLaterTurn } from './later-turn.ts';
export { ContentCache, marketTextsOf } from './market-content.ts';
export { type KeptMessage, MessageRing, RingStore } from './message-ring.ts';
export {
  address,
  bytes32,
  type ChannelDocument,
  CLOSINGS,
  CONDITION_ID,
  decimal,
  heartbeatSchema,
  LEFT_OFF,
  type MessageOf,
  type MissedReason,
  message,
  NAMES,
  PRICE,
  RECEIVED_ALWAYS,
  resumedSchema,
  SENT_ALWAYS,
  type SentMessages,
  STAMP,
  type Stamp,
  type StreamMessage,
  side,
  snapshotRequiredSchema,
  stamped,
  stampedWith,
  TIME_MS,
  TIME_MS_TEXT,
  TOKEN_ID,
  WANTS_DUMP,
  wholeText,
  word,
} from './messages.ts';
export { StreamMetrics } from './metrics.ts';
export {
  flagIn,
  type Names,
  type ResumeRequest,
  readSubscription,
  type SubscriptionRequest,
} from './subscription.ts';
export { TokenFilter } from './token-filter.ts';
