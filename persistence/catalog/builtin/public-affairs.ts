// Elections, economy and weather of the built-in catalog. Places and candidates of the elections
// are invented; the institutions named are only ever asked for the figures they publish.

import { type EventDefinition, eachOf } from './definition.ts';

export const PUBLIC_AFFAIRS: readonly EventDefinition[] = [
  {
    id: 11,
    slug: 'port-meridian-mayor-2027',
    title: 'Who will be elected mayor of Port Meridian?',
    rules:
      'Resolves to Yes for the candidate certified as the winner of the mayoral election of ' +
      '2 November 2027, and to No for all others. A candidate without a market of their own ' +
      'counts as "another candidate".',
    source: 'Port Meridian Electoral Board',
    endDate: '2027-11-02T20:00:00Z',
    tags: ['politics', 'elections'],
    negRisk: true,
    tick: 0.001,
    markets: eachOf('Will # win the 2027 Port Meridian mayoral election?', [
      'Ada Lindqvist',
      'Tomas Okonedo',
      'Mirela Santos',
      'Henrik Vale',
      'another candidate',
    ]),
  },
  {
    id: 12,
    slug: 'port-meridian-turnout-2027',
    title: 'Port Meridian mayoral election: turnout',
    rules: 'Resolves to Yes if the certified turnout is above the stated share of the electorate.',
    source: 'Port Meridian Electoral Board',
    endDate: '2027-11-02T20:00:00Z',
    tags: ['politics', 'elections'],
    markets: eachOf('Will turnout in the 2027 Port Meridian mayoral election be above #?', [
      '55%',
      '65%',
    ]),
  },
  {
    id: 13,
    slug: 'meridia-parliament-2028',
    title: 'Meridia parliamentary election 2028: most seats',
    rules:
      'Resolves to the alliance with the more seats in the official result of the election of ' +
      '21 May 2028, and to 50-50 if both have as many.',
    source: 'Electoral Commission of Meridia',
    endDate: '2028-05-21T20:00:00Z',
    tags: ['politics', 'elections'],
    markets: [
      {
        question: 'Will the Harbour Alliance or the Inland Alliance win more seats in 2028?',
        outcomes: ['Harbour Alliance', 'Inland Alliance'],
      },
    ],
  },
  {
    id: 14,
    slug: 'fed-decision-january-2028',
    title: 'Fed decision in January 2028?',
    rules:
      'Resolves by the change of the upper bound of the federal funds target range at the ' +
      'meeting that ends in January 2028. Exactly one range resolves to Yes; a meeting that ' +
      'does not take place counts as no change.',
    source: 'Federal Reserve, FOMC statement',
    endDate: '2028-01-26T19:00:00Z',
    tags: ['economy', 'rates'],
    series: 'fed-interest-rates',
    negRisk: true,
    tick: 0.001,
    markets: [
      { label: '50+ bps cut', question: 'Fed cuts by 50 or more bps in January 2028?' },
      { label: '25 bps cut', question: 'Fed cuts by 25 bps in January 2028?' },
      { label: 'No change', question: 'No change in Fed rates in January 2028?' },
      { label: '25+ bps rise', question: 'Fed raises by 25 or more bps in January 2028?' },
    ],
  },
  {
    id: 15,
    slug: 'us-inflation-december-2027',
    title: 'US inflation in December 2027',
    rules:
      'Resolves to Yes if the first published change of the consumer price index over twelve ' +
      'months, not seasonally adjusted, is above the stated figure.',
    source: 'US Bureau of Labor Statistics',
    endDate: '2028-01-13T13:30:00Z',
    tags: ['economy'],
    markets: eachOf('Will US inflation be above # in December 2027?', ['2.5%', '3%', '3.5%']),
  },
  {
    id: 16,
    slug: 'euro-area-recession-2027',
    title: 'Euro area recession in 2027?',
    rules: 'Resolves to Yes if GDP fell in two consecutive quarters of 2027, as first published.',
    source: 'Eurostat, GDP flash estimates',
    endDate: '2028-02-14T10:00:00Z',
    tags: ['economy'],
    markets: [{ question: 'Will the euro area be in recession in 2027?' }],
  },
  {
    id: 17,
    slug: 'highest-temperature-london-2027-07-15',
    title: 'Highest temperature in London on 15 July 2027?',
    rules:
      'Resolves by the highest temperature of the day at Heathrow, in whole degrees Celsius. ' +
      'Exactly one range resolves to Yes.',
    source: 'Met Office',
    endDate: '2027-07-15T22:59:59Z',
    tags: ['weather'],
    negRisk: true,
    markets: eachOf('Will the highest temperature in London be # on 15 July 2027?', [
      '21°C or below',
      '22-25°C',
      '26-29°C',
      '30°C or above',
    ]),
  },
  {
    id: 18,
    slug: 'oslo-rain-2027-06-01',
    title: 'Rain in Oslo on 1 June 2027?',
    rules: 'Resolves to Yes if at least 0.1 mm of rain is measured at Blindern on the day.',
    source: 'Norwegian Meteorological Institute',
    endDate: '2027-06-01T21:59:59Z',
    tags: ['weather'],
    series: 'oslo-rain-weekly',
    tick: 0.1,
    minimum: 1,
    markets: [{ question: 'Will it rain in Oslo on 1 June 2027?' }],
  },
  {
    id: 19,
    slug: 'hottest-year-2027',
    title: 'Will 2027 be the hottest year on record?',
    rules: 'Resolves to Yes if the global mean of 2027 is above that of every earlier year.',
    source: 'Copernicus Climate Change Service, ERA5',
    endDate: '2028-01-15T12:00:00Z',
    tags: ['weather', 'science'],
    tick: 0.001,
    markets: [{ question: 'Will 2027 be the hottest year on record?' }],
  },
];
