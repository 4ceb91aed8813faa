/** A client's message on the market channel (wire 7.1). */
import {
  type ClientMessage,
  flagIn,
  readSubscription,
  type SubscriptionRequest,
} from '../delivery/subscription.ts';

export interface MarketSubscription extends SubscriptionRequest {
  /** Whether the client wants custom features; undefined if the message does not say. */
  readonly hasFeatures: boolean | undefined;
}

/** Throws `StreamError`. */
export function readMarketRequest(message: ClientMessage): MarketSubscription {
  return {
    ...readSubscription(message, 'market'),
    hasFeatures: flagIn(message, 'custom_feature_enabled'),
  };
}
