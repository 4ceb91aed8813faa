// Sports, crypto prices, entertainment and science of the built-in catalog. Leagues, teams and
// players are invented; coins and missions are real, prices are read from public exchanges.

import { type EventDefinition, eachOf } from './definition.ts';

export const SPORTS: readonly EventDefinition[] = [
  {
    id: 21,
    slug: 'coastal-league-champion-2028',
    title: 'Coastal League champion 2027-28',
    rules:
      'Resolves to Yes for the club that is first in the final table of the season, and to No ' +
      'for all others. A club without a market of its own counts as "any other club".',
    source: 'Coastal League',
    endDate: '2028-05-28T18:00:00Z',
    tags: ['sports', 'football'],
    negRisk: true,
    tick: 0.001,
    markets: eachOf('Will # win the 2027-28 Coastal League?', [
      'Harbour City',
      'Northgate Rovers',
      'Saltmarsh United',
      'Lighthouse FC',
      'Bay Wanderers',
      'Cliffside Athletic',
      'Estuary Town',
      'any other club',
    ]),
  },
  {
    id: 22,
    slug: 'harbour-city-northgate-2027-09-18',
    title: 'Harbour City vs. Northgate Rovers',
    rules:
      'Resolves by the score after 90 minutes and stoppage time of the match of ' +
      '18 September 2027; a match that is abandoned and not replayed resolves to 50-50.',
    source: 'Coastal League',
    endDate: '2027-09-18T16:00:00Z',
    tags: ['sports', 'football'],
    markets: [
      { label: 'Harbour City', question: 'Will Harbour City beat Northgate on 18 September 2027?' },
      {
        label: 'Goals 2.5',
        question: 'Harbour City vs. Northgate, 18 September 2027: goals over or under 2.5?',
        outcomes: ['Over', 'Under'],
      },
    ],
  },
  {
    id: 23,
    slug: 'pine-valley-open-final-2027',
    title: 'Pine Valley Open 2027: final',
    rules: 'Resolves to the winner of the final; 50-50 if it is not played.',
    source: 'Pine Valley Open',
    endDate: '2027-08-29T19:00:00Z',
    tags: ['sports', 'tennis'],
    markets: [
      {
        question: 'Pine Valley Open 2027 final: Ines Marchetti or Yuki Tanabe?',
        outcomes: ['Ines Marchetti', 'Yuki Tanabe'],
      },
    ],
  },
  {
    id: 24,
    slug: 'granite-peaks-river-kings-2027-11-20',
    title: 'Granite Peaks vs. River Kings',
    rules: 'Resolves to the winner of the game, overtime included; 50-50 if it is not played.',
    source: 'Continental Basketball Conference',
    endDate: '2027-11-20T03:00:00Z',
    tags: ['sports', 'basketball'],
    markets: [
      {
        question: 'Granite Peaks vs. River Kings on 20 November 2027: who wins?',
        outcomes: ['Granite Peaks', 'River Kings'],
      },
    ],
  },
];

export const CRYPTO: readonly EventDefinition[] = [
  ...['2027-06-01', '2027-06-02'].map(
    (day, index): EventDefinition => ({
      id: 31 + index,
      slug: `btc-up-or-down-${day}`,
      title: `Bitcoin Up or Down on ${day}?`,
      rules:
        'Resolves to Up if the BTC/USDT one-minute candle at 12:00 UTC of the day closes at or ' +
        'above the one of the day before, else to Down.',
      source: 'Binance, BTC/USDT',
      endDate: `${day}T12:00:00Z`,
      tags: ['crypto', 'bitcoin', 'up-or-down'],
      series: 'btc-up-or-down-daily',
      minimum: 1,
      markets: [{ question: `Bitcoin Up or Down on ${day}?`, outcomes: ['Up', 'Down'] }],
    }),
  ),
  {
    id: 33,
    slug: 'bitcoin-above-end-of-2027',
    title: 'Bitcoin above … at the end of 2027?',
    rules:
      'Resolves to Yes if the BTC/USDT daily candle of 31 December 2027 closes above the price.',
    source: 'Binance, BTC/USDT',
    endDate: '2027-12-31T23:59:59Z',
    tags: ['crypto', 'bitcoin'],
    markets: eachOf('Will Bitcoin be above # on 31 December 2027?', [
      '$100,000',
      '$150,000',
      '$200,000',
      '$250,000',
    ]),
  },
  {
    id: 34,
    slug: 'what-price-will-ethereum-hit-in-2027',
    title: 'What price will Ethereum hit in 2027?',
    rules: 'Resolves to Yes if any one-minute candle of ETH/USDT in 2027 trades at the price.',
    source: 'Binance, ETH/USDT',
    endDate: '2027-12-31T23:59:59Z',
    tags: ['crypto', 'ethereum'],
    tick: 0.001,
    markets: eachOf('Will Ethereum hit # in 2027?', ['$2,000', '$6,000', '$10,000']),
  },
];

export const CULTURE_AND_SCIENCE: readonly EventDefinition[] = [
  {
    id: 41,
    slug: 'highest-grossing-film-2027',
    title: 'Highest-grossing film of 2027',
    rules: 'Resolves by the worldwide gross of films first released in 2027, on 31 January 2028.',
    source: 'Box Office Mojo',
    endDate: '2028-01-31T12:00:00Z',
    tags: ['culture', 'film'],
    markets: [
      { label: 'Animated', question: 'Will the highest-grossing film of 2027 be animated?' },
      { label: 'Over $1.5bn', question: 'Will a film of 2027 gross more than $1.5 billion?' },
    ],
  },
  {
    id: 42,
    slug: 'eurovision-2028-nordic-winner',
    title: 'Eurovision Song Contest 2028: a Nordic winner?',
    rules: 'Resolves to Yes if Denmark, Finland, Iceland, Norway or Sweden wins the contest.',
    source: 'European Broadcasting Union',
    endDate: '2028-05-20T23:00:00Z',
    tags: ['culture', 'music'],
    markets: [{ question: 'Will a Nordic country win the Eurovision Song Contest 2028?' }],
  },
  {
    id: 43,
    slug: 'crewed-moon-landing-2028',
    title: 'Crewed Moon landing before 2029?',
    rules: 'Resolves to Yes if a person stands on the Moon between the opening and the end date.',
    source: 'The space agency of the mission',
    endDate: '2028-12-31T23:59:59Z',
    tags: ['science', 'space'],
    tick: 0.0001,
    markets: [{ question: 'Will a person land on the Moon before 2029?' }],
  },
  {
    id: 44,
    slug: 'orbital-launches-2027',
    title: 'Orbital launch attempts in 2027',
    rules:
      'Resolves to Yes if the attempts listed for 2027, failures included, are above the figure.',
    source: 'The public log of orbital launches',
    endDate: '2028-01-10T12:00:00Z',
    tags: ['science', 'space'],
    markets: eachOf('Will there be more than # orbital launch attempts in 2027?', ['350', '400']),
  },
  {
    id: 45,
    slug: 'quantum-rsa-48-bit-2028',
    title: 'A quantum computer factors a 48-bit number?',
    rules:
      'Resolves to Yes if a peer-reviewed paper reports, before the end date, the factoring of ' +
      "a product of two 24-bit primes by Shor's algorithm without knowing the factors before.",
    source: 'Peer-reviewed journals',
    endDate: '2028-12-31T23:59:59Z',
    tags: ['science', 'tech'],
    tick: 0.0001,
    markets: [{ question: 'Will a quantum computer factor a 48-bit number before 2029?' }],
  },
];
