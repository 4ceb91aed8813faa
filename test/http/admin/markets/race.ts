// A neg-risk event with three markets, as the operator sends it.

/** A market with its required fields and `changes`. */
export function marketBody(slug: string, changes: object = {}) {
  return {
    slug,
    question: `Will ${slug} win?`,
    groupItemTitle: slug.toUpperCase(),
    ...changes,
  };
}

/** A race whose slugs no other test uses. */
export function raceOf(name: string) {
  return {
    slug: `race-${name}`,
    title: 'Who wins the race?',
    description: 'By the official list.',
    endDate: '2030-06-01T12:00:00+02:00',
    negRisk: true,
    tags: [
      { slug: 'sports', label: 'Not its label' },
      { slug: 'rowing', label: 'Rowing' },
    ],
    markets: [
      marketBody(`red-${name}`, { taker_fee_bps: 441, fee_exponent: 1, seconds_delay: 3 }),
      marketBody(`blue-${name}`, {
        tick_size: '0.001',
        outcomes: ['In', 'Out'],
        minimum_order_size: '0.5',
      }),
      marketBody(`nobody-${name}`, { description: 'None of them.', self_trade: 'cancel_both' }),
    ] as const,
  };
}
