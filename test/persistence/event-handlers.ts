/** Listens to an exchange by one handler for each kind of event. */
import type { ExchangeEvent } from '../../persistence/index.ts';

export type EventHandlers = {
  readonly [Kind in ExchangeEvent['kind']]?: (
    event: Extract<ExchangeEvent, { readonly kind: Kind }>,
  ) => void;
};

/** Events without a handler are ignored, except a failure, which is thrown. */
export function handleEvents(handlers: EventHandlers): (event: ExchangeEvent) => void {
  return (event) => {
    // Safe: the handler is that of the event's own kind.
    const handler = handlers[event.kind] as ((event: ExchangeEvent) => void) | undefined;
    if (handler === undefined && event.kind === 'failed') throw event.error;
    handler?.(event);
  };
}
