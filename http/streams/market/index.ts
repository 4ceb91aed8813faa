/**
 * The market channel: books, prices and trades of a market.
 */
export { type ChannelParts, MarketChannel, type StreamStore } from './channel.ts';
export { type LeftOff, type Names, readSubscription, type SubscriptionRequest } from './request.ts';
export type { Stamp } from './texts.ts';
