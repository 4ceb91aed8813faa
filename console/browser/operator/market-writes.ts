/** What an operator can do to an event and to a market, and the words of the forms for it. */
import type { FieldWords } from '../forms/part.tsx';
import type { CatalogEvent } from '../wire/index.ts';
import type { Write } from './writes.tsx';

export type EventMarket = CatalogEvent['markets'][number];

/** A market's own name within its event. */
export function marketName({ groupItemTitle, question }: EventMarket): string {
  return groupItemTitle === '' ? question : groupItemTitle;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The labels of a market's two outcomes; the catalog has them as a list in a text. */
function outcomesOf({ outcomes }: EventMarket): readonly [string, string] {
  const [first = 'Yes', second = 'No'] = JSON.parse(outcomes ?? '[]') as string[];
  return [first, second];
}

const STATES: readonly (readonly [string, string])[] = [
  ['open', 'open: everything is allowed'],
  ['cancel_only', 'cancel only: orders can be canceled but not placed'],
  ['halted', 'halted: nothing is allowed, not even cancels'],
];

export const STATE_WORDS = { state: { options: STATES, hint: '' } } as const;

/** What the terms of a market mean. */
const TERMS: Readonly<Record<string, FieldWords>> = {
  tick_size: {
    hint: 'Prices are multiples of it.',
    options: ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'].map((one) => [one, one]),
  },
  minimum_order_size: { unit: 'tokens', hint: 'Of orders that rest in the book (GTC and GTD).' },
  minimum_budget: { unit: 'units', hint: 'Of buy orders that trade at once (FOK and FAK).' },
  self_trade: {
    hint: 'When two orders of one owner would trade.',
    options: [
      ['cancel_maker', 'the resting order is canceled'],
      ['cancel_taker', 'the new order is canceled'],
      ['cancel_both', 'both are canceled'],
    ],
  },
  taker_fee_bps: { label: 'Taker fee', unit: 'bps', hint: '100 bps are 1%. At most 5,000.' },
  maker_fee_bps: { label: 'Maker fee', unit: 'bps', hint: '100 bps are 1%. At most 5,000.' },
  fee_exponent: {
    hint: 'At price p, a token costs the rate times (p(1−p)) to this power.',
    options: [
      ['0', '0: the same at all prices'],
      ['1', '1: highest at 50¢'],
      ['2', '2: still lower near 0¢ and 100¢'],
    ],
  },
  seconds_delay: { unit: 's', hint: 'How long an order that would trade at once waits: 0 to 60.' },
  itode: { label: 'Delay orders that would trade at once', hint: 'By 250 ms, if no delay is set.' },
  taker_order_delay_ms: { label: 'Taker order delay', unit: 'ms', hint: '0 to 60,000.' },
  finer_tick_size: { hint: 'Takes over below 4¢ and above 96¢; 0 for none.' },
};

const TEXTS: Readonly<Record<string, FieldWords>> = {
  slug: { hint: 'Unique, such as rain-in-june. Ids are derived from it.' },
  question: { hint: 'Such as: Will it rain in June?' },
  groupItemTitle: { label: 'Short name', hint: 'Its name within the event, such as a candidate.' },
  description: { hint: 'The rules by which it is resolved.' },
  startDate: { hint: 'Such as 2027-01-31T12:00:00Z; now by default.' },
  endDate: { hint: 'Such as 2027-01-31T12:00:00Z.' },
  negRisk: { label: 'Neg-risk: exactly one of the markets wins', hint: '' },
  open: { label: 'Open it at once', hint: 'A neg-risk event that is open takes no more markets.' },
  tags: { hint: 'A tag that exists keeps its label.' },
  ...TERMS,
};

const COMMON = ['description', 'endDate', 'tags', 'negRisk', 'open', 'groupItemTitle'] as const;

const REDEEM: Readonly<Record<string, FieldWords>> = {
  redeem_all: {
    label: 'Pay all accounts',
    options: [
      ['true', 'at once, without a request'],
      ['false', 'each when its holder redeems'],
    ],
    hint: 'By default as --redemption says.',
  },
};

/** What can be done to a market: `action` is the last part of the route. */
function marketWrite(
  { conditionId }: EventMarket,
  action: 'state' | 'terms' | 'resolve' | 'close' | 'open',
  write: Omit<Write, 'method' | 'route' | 'params'>,
): Write {
  const route = `/markets/{condition_id}/${action}`;
  return { method: 'POST', route, params: { condition_id: conditionId }, ...write };
}

function resolveWrite(market: EventMarket): Write {
  const [first, second] = outcomesOf(market);
  return marketWrite(market, 'resolve', {
    title: 'Resolve',
    submit: 'Resolve the market',
    isResolution: true,
    words: {
      payout: {
        label: 'Outcome',
        hint: 'What one token of each outcome pays.',
        options: [
          ['1', `${first}: ${first} pays 1, ${second} pays 0`],
          ['0', `${second}: ${second} pays 1, ${first} pays 0`],
          ['0.5', `a draw: ${first} and ${second} pay 0.5 each`],
        ],
        other: `Another payout of ${first}, from 0 to 1`,
      },
      ...REDEEM,
    },
    warnOf: ({ payout }) =>
      `"${market.question}" is resolved: each ${first} token pays ${String(payout)}, each ` +
      `${second} token the rest of 1. Its trading ends, and all its orders are canceled.`,
  });
}

function editMarketWrite(market: EventMarket): Write {
  const { id, question, description, image, endDate } = market;
  return {
    ...{ title: 'Edit', method: 'PUT', route: '/markets/{id}', params: { id } },
    start: { question, description, image, endDate: textOf(endDate) },
    ...{ words: TEXTS, submit: 'Save' },
  };
}

export function isSettled({ umaResolutionStatus }: EventMarket): boolean {
  return umaResolutionStatus === 'resolved';
}

export function marketWrites(market: EventMarket): readonly Write[] {
  const edit = editMarketWrite(market);
  if (isSettled(market)) return [edit];
  if (!market.enableOrderBook) {
    const open = { title: 'Open for trading', words: TERMS, submit: 'Open the market' };
    return [marketWrite(market, 'open', open), edit];
  }
  return [
    marketWrite(market, 'state', {
      ...{ title: 'Pause or open', words: STATE_WORDS, submit: 'Set the state' },
    }),
    marketWrite(market, 'terms', {
      ...{ title: 'Terms and fees', words: TERMS, submit: 'Change the terms' },
      note: 'What is left empty stays as it is. Orders that were accepted keep their fees.',
    }),
    edit,
    marketWrite(market, 'close', {
      ...{ title: 'End trading', submit: 'End its trading' },
      warnOf: () => `Trading of "${market.question}" ends, and all its orders are canceled.`,
    }),
    resolveWrite(market),
  ];
}

export const NEW_EVENT: Write = {
  ...{ title: 'New event', method: 'POST', route: '/events', submit: 'Create the event' },
  ...{ start: { markets: [{}] }, words: TEXTS, common: COMMON },
};

export function eventWrites(event: CatalogEvent): readonly Write[] {
  const { id, title, description, image, icon, endDate, negRisk } = event;
  const edit: Write = {
    ...{ title: 'Edit the event', method: 'PUT', route: '/events/{id}', params: { id } },
    start: { title, description, image, icon, endDate: textOf(endDate) },
    words: { ...TEXTS, tags: { hint: 'Slugs of tags, in order.' } },
    common: ['title', 'description', 'endDate', 'image', 'icon', 'featured'],
    submit: 'Save',
  };
  const add: Write = {
    ...{ title: 'Add a market', method: 'POST', route: '/events/{event_id}/markets' },
    ...{ params: { event_id: id }, words: TEXTS, submit: 'Add the market' },
    common: [...COMMON, 'tick_size', 'taker_fee_bps'],
  };
  return negRisk ? [edit, add, ...negRiskWrites(event)] : [edit, add];
}

function negRiskWrites({ id, title, markets }: CatalogEvent): readonly Write[] {
  const options = markets.map((market) => [market.conditionId, marketName(market)] as const);
  const params = { event_id: id };
  return [
    {
      ...{ title: 'Open the neg-risk event', method: 'POST', route: '/events/{event_id}/open' },
      ...{ params, submit: 'Open the event' },
      words: {
        none: {
          label: 'Wins if no other does',
          options,
          hint: 'By default, one of the markets must win.',
        },
      },
      warnOf: () => `"${title}" opens as a neg-risk event. It then accepts no more markets.`,
    },
    {
      ...{ title: 'Resolve the event', method: 'POST', route: '/events/{event_id}/resolve' },
      ...{ params, submit: 'Resolve the event', isResolution: true },
      words: { winner: { options, hint: 'It pays 1; all others pay 0.' }, ...REDEEM },
      warnOf: ({ winner }) => {
        const [, name = winner] = options.find(([one]) => one === winner) ?? [];
        return (
          `"${title}" is resolved: Yes of "${name}" pays 1, Yes of every other market pays 0. ` +
          'Their trading ends, and all their orders are canceled.'
        );
      },
    },
  ];
}
