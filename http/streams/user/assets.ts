/**
 * The assets that an event may have changed. Pure.
 *
 * Invariant: names every asset that changed, and perhaps some that did not. It does not name the
 * cash that builders earn, because events do not name a builder's account.
 */
import type { EngineEvent } from '../../../engine/index.ts';

/** An account's cash and, unless `conditionId` is '', its tokens of both outcomes in a market. */
export interface TouchedAsset {
  readonly account: string;
  readonly conditionId: string;
}

/** `marketsOf` returns the markets of a neg-risk event. */
export function touchedBy(
  event: EngineEvent,
  marketsOf: (eventId: string) => readonly string[],
): readonly TouchedAsset[] {
  switch (event.kind) {
    case 'account_opened':
      return [{ account: event.address, conditionId: '' }];
    case 'cash_moved':
      return [{ account: event.account, conditionId: '' }];
    case 'sets_moved':
    case 'redeemed':
    case 'order_accepted':
    case 'order_delayed':
    case 'order_released':
    case 'order_closed': {
      const { account, conditionId } = event;
      return [{ account, conditionId }];
    }
    case 'converted': {
      const { account, eventId } = event;
      return marketsOf(eventId).map((conditionId) => ({ account, conditionId }));
    }
    case 'fill': {
      const { takerAccount, makerAccount, conditionId } = event;
      return [
        { account: takerAccount, conditionId },
        { account: makerAccount, conditionId },
      ];
    }
    default:
      return NO_ASSETS;
  }
}

const NO_ASSETS: readonly TouchedAsset[] = [];

/** Whether the event pays a builder. */
export function paysBuilder(event: EngineEvent): boolean {
  return (
    event.kind === 'fill' &&
    event.fees !== undefined &&
    event.fees.takerBuilderMicros + event.fees.makerBuilderMicros > 0
  );
}
