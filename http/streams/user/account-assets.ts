/**
 * Which assets of which accounts a command may have changed, by its events. Pure.
 *
 * Invariant: every asset that changed is named; some that did not may be too. What builders earn is
 * the exception: events don't name their accounts.
 */
import type { EngineEvent } from '../../../engine/index.ts';

/** Cash of an account, and both tokens of a market unless it is ''. */
export interface TouchedAsset {
  readonly account: string;
  readonly conditionId: string;
}

/** `marketsOf` gives the markets of a neg-risk event. */
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
      return NOTHING;
  }
}

const NOTHING: readonly TouchedAsset[] = [];

/** Whether a builder was paid. */
export function paysBuilder(event: EngineEvent): boolean {
  return (
    event.kind === 'fill' &&
    event.fees !== undefined &&
    event.fees.takerBuilderMicros + event.fees.makerBuilderMicros > 0
  );
}
