// Of the built-in catalog what is beside its events: a creator, users with profiles, their comments
// with replies and reactions, teams, sports and kinds of markets. In the public catalog's own form,
// in the order in which they need each other; the same on every machine.

import type { RecordBatch } from '../model/index.ts';
import { imagePath } from './images.ts';

const CREATED_AT = '2026-01-15T12:00:00Z';
const DATES = { createdAt: CREATED_AT, updatedAt: CREATED_AT } as const;

/** Who made all events of the built-in catalog: an address that nobody has the key of. */
export const BUILTIN_CREATOR = `0x${'c0ffee'.repeat(6)}c0de`;

function address(number: number): string {
  return `0x${'d0'.repeat(19)}${number.toString(16).padStart(2, '0')}`;
}
const ADA = address(1);
const BEN = address(2);
const EVA = address(3);

const CREATORS = [
  {
    ...DATES,
    id: '1',
    creatorName: 'The house',
    creatorHandle: 'house',
    creatorUrl: '',
    creatorImage: imagePath('house'),
    wallet: BUILTIN_CREATOR,
    sites: ['local'],
  },
];

const PROFILES = [
  { name: 'Ada', bio: 'Watches the sky over Oslo.', profileImage: imagePath('otter'), of: ADA },
  { name: 'Ben', bio: '', profileImage: imagePath('heron'), of: BEN },
  { name: '', bio: '', profileImage: '', of: EVA },
].map(({ of, ...words }) => ({
  ...DATES,
  ...words,
  baseAddress: of,
  proxyWallet: of,
  displayUsernamePublic: words.name !== '',
}));

function day(number: number): string {
  return `2026-01-${20 + number}T09:00:00Z`;
}

interface Remark {
  readonly id: number;
  readonly by: string;
  readonly body: string;
  readonly on: readonly [type: 'Event' | 'Series' | 'market', id: number];
  /** The comment that it answers. */
  readonly to?: number;
  /** Who likes it. */
  readonly hearts?: readonly string[];
}

const REMARKS: readonly Remark[] = [
  {
    ...{ id: 1, by: ADA, on: ['Event', 18], hearts: [BEN, EVA] },
    body: 'June is wetter here than people think: it rains on two days of five.',
  },
  { id: 2, by: BEN, on: ['Event', 18], to: 1, body: 'Measured at Blindern, or anywhere in town?' },
  { id: 3, by: ADA, on: ['Event', 18], to: 2, hearts: [BEN], body: 'At Blindern, says the rule.' },
  { id: 4, by: EVA, on: ['Event', 18], body: '0.1 mm is not much.' },
  { id: 5, by: EVA, on: ['Event', 11], body: 'Turnout will decide this one.', hearts: [ADA] },
  { id: 6, by: BEN, on: ['Series', 1], body: 'A coin toss with a fee schedule.' },
  { id: 7, by: ADA, on: ['market', 1800], body: 'Bid what you would bet on the umbrella.' },
];

/** Ids of reactions: a hundred for each comment. */
function heartsOf({ id, hearts = [] }: Remark) {
  return hearts.map((userAddress, index) => ({
    id: `${100 * id + index}`,
    commentID: id,
    reactionType: 'HEART',
    icon: '❤',
    userAddress,
    createdAt: day(id),
  }));
}

const COMMENTS = REMARKS.map((remark) => ({
  id: `${remark.id}`,
  body: remark.body,
  parentEntityType: remark.on[0],
  parentEntityID: remark.on[1],
  parentCommentID: remark.to === undefined ? null : `${remark.to}`,
  userAddress: remark.by,
  replyAddress: REMARKS.find(({ id }) => id === remark.to)?.by ?? '',
  createdAt: day(remark.id),
  updatedAt: day(remark.id),
  reactions: heartsOf(remark),
}));

const TEAMS = [
  { id: 1, name: 'Granite Peaks', league: 'Coastal League', abbreviation: 'GRP' },
  { id: 2, name: 'River Kings', league: 'Coastal League', abbreviation: 'RVK' },
  { id: 3, name: 'Harbour City', league: 'Northern Cup', abbreviation: 'HBC' },
  { id: 4, name: 'Northgate Rovers', league: 'Northern Cup', abbreviation: 'NGR' },
].map((team) => ({ ...team, ...DATES, logo: imagePath('sports') }));

const SPORTS = ['football', 'basketball', 'tennis'].map((sport, index) => ({
  id: index + 1,
  sport,
  image: imagePath('sports'),
  resolution: '',
  ordering: 'home',
  tags: `3,${4 + index}`,
}));

/** Beside the events: these come after them. */
export const BUILTIN_RECORDS: readonly RecordBatch[] = [
  { kind: 'creators', records: CREATORS },
  { kind: 'profiles', records: PROFILES },
  { kind: 'teams', records: TEAMS },
  { kind: 'sports', records: SPORTS },
  { kind: 'marketTypes', records: ['moneyline', 'spreads', 'totals'] },
  { kind: 'comments', records: COMMENTS },
];
