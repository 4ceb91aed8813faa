/** What an operator can do to an event and to a market. */
import type { CatalogEvent } from '../wire/index.ts';
import type { Write } from './action-dialog.tsx';

export type EventMarket = CatalogEvent['markets'][number];

/** A market's own name within its event. */
export function marketName({ groupItemTitle, question }: EventMarket): string {
  return groupItemTitle === '' ? question : groupItemTitle;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function stateWrite({ conditionId }: EventMarket): Write {
  return {
    ...{ title: 'Pause or open', method: 'POST', route: '/markets/{condition_id}/state' },
    params: { condition_id: conditionId },
    submit: 'Set the state',
    note: 'open: everything is allowed. cancel_only: orders can be cancelled but not placed. halted: nothing is allowed.',
  };
}

export function termsWrite({ conditionId }: EventMarket): Write {
  return {
    ...{ title: 'Terms and fees', method: 'POST', route: '/markets/{condition_id}/terms' },
    params: { condition_id: conditionId },
    submit: 'Change the terms',
    note: 'What is left empty stays as it is. Orders that were accepted keep their fees.',
  };
}

export function resolveWrite(market: EventMarket): Write {
  const outcomes = market.outcomes;
  return {
    ...{ title: 'Resolve', method: 'POST', route: '/markets/{condition_id}/resolve' },
    params: { condition_id: market.conditionId },
    submit: 'Resolve the market',
    warnOf: ({ payout }) =>
      `"${market.question}" is resolved: each token of the first outcome pays ${String(payout)}, ` +
      `each of the second the rest of 1. All its orders are cancelled. Outcomes: ${outcomes}.`,
  };
}

export function closeWrite(market: EventMarket): Write {
  return {
    ...{ title: 'End trading', method: 'POST', route: '/markets/{condition_id}/close' },
    params: { condition_id: market.conditionId },
    submit: 'End its trading',
    warnOf: () => `Trading of "${market.question}" ends, and all its orders are cancelled.`,
  };
}

export function openWrite({ conditionId }: EventMarket): Write {
  return {
    ...{ title: 'Open for trading', method: 'POST', route: '/markets/{condition_id}/open' },
    params: { condition_id: conditionId },
    submit: 'Open the market',
  };
}

export function editMarketWrite(market: EventMarket): Write {
  const { id, question, description, image, endDate } = market;
  return {
    ...{ title: 'Edit', method: 'PUT', route: '/markets/{id}' },
    params: { id },
    start: { question, description, image, endDate: textOf(endDate) },
    submit: 'Save',
  };
}

export const NEW_EVENT: Write = {
  ...{ title: 'New event', method: 'POST', route: '/events' },
  start: { markets: [{}] },
  submit: 'Create the event',
};

export function editEventWrite(event: CatalogEvent): Write {
  const { id, title, description, image, icon, endDate } = event;
  return {
    ...{ title: 'Edit the event', method: 'PUT', route: '/events/{id}' },
    params: { id },
    start: { title, description, image, icon, endDate: textOf(endDate) },
    submit: 'Save',
  };
}

export function addMarketWrite({ id }: CatalogEvent): Write {
  return {
    ...{ title: 'Add a market', method: 'POST', route: '/events/{event_id}/markets' },
    params: { event_id: id },
    submit: 'Add the market',
  };
}

export function openEventWrite({ id, title }: CatalogEvent): Write {
  return {
    ...{ title: 'Open the neg-risk event', method: 'POST', route: '/events/{event_id}/open' },
    params: { event_id: id },
    submit: 'Open the event',
    warnOf: () => `"${title}" opens as a neg-risk event. It then accepts no more markets.`,
  };
}

export function resolveEventWrite({ id, title, markets }: CatalogEvent): Write {
  return {
    ...{ title: 'Resolve the event', method: 'POST', route: '/events/{event_id}/resolve' },
    params: { event_id: id },
    submit: 'Resolve the event',
    note: 'The winner is the condition id of one of its markets.',
    warnOf: ({ winner }) => {
      const won = markets.find(({ conditionId }) => conditionId === winner);
      const name = won === undefined ? String(winner) : marketName(won);
      return `"${title}" is resolved: ${name} pays 1, every other market pays 0.`;
    },
  };
}
