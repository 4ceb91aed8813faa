// Requests of the example session to catalog routes, once there is a record of each kind.
import { isJsonObject } from '../../../http/documentation/schema.ts';
import type { Asked, Step, World } from './example-step.ts';

const ADA = `0x${'d0'.repeat(19)}01`;
const BOB = `0x${'b0'.repeat(20)}`;
const DAY = '2026-05-20T10:00:00Z';
const dates = { createdAt: DAY, updatedAt: DAY };

const EVENT_ID = '11';
const EVENT_SLUG = 'port-meridian-mayor-2027';
const MARKET_ID = '1200';

function byId(id: string) {
  return (): Asked => ({ params: { id } });
}
function bySlug(slug: string) {
  return (): Asked => ({ params: { slug } });
}
function part(): Asked {
  return { query: { limit: 1 } };
}
function byUser(): Asked {
  return { params: { user_address: ADA } };
}

const PAGES = [
  [
    'creators',
    {
      ...dates,
      id: '1',
      creatorName: 'Ada',
      creatorHandle: '@ada',
      creatorUrl: 'https://example.org',
      creatorImage: '',
    },
  ],
  ['teams', { ...dates, id: 1, name: 'Owls', league: 'north', abbreviation: 'owl' }],
  ['sports', { id: 1, sport: 'chess', image: '', resolution: 'the board', tags: '1' }],
] as const;

/** Adds a creator, a team, a sport, a profile, and a comment with a reply. */
async function prepare({ exchange, notes }: World): Promise<void> {
  const { write } = exchange.running.services.exchange.catalog;
  for (const [kind, record] of PAGES) {
    const text = Buffer.from(JSON.stringify([record]));
    await write.putPage({ source: 'https://catalog.example', kind, text, mark: '' });
  }
  await write.setProfile({ address: ADA, name: 'Ada', bio: 'Watches clouds', nowIso: DAY });
  const said = { parent: { type: 'Event', id: Number(EVENT_ID) }, key: '', sinceIso: DAY } as const;
  const { commentId } = await write.comment({
    ...said,
    userAddress: ADA,
    body: 'Clouds coming in.',
    nowIso: DAY,
  });
  const answer = { parentCommentId: commentId, userAddress: BOB, body: 'Not here.' };
  await write.comment({ ...said, ...answer, nowIso: '2026-05-20T10:01:00Z' });
  notes.set('commentId', `${commentId}`);
}

function comment({ notes }: World): Asked {
  return { params: { id: notes.get('commentId') ?? '' } };
}

const OWN_COMMENT = 'ownComment';
function ownComment({ notes }: World): { id: string } {
  return { id: notes.get(OWN_COMMENT) ?? '' };
}

/** Texts of account holders. All but the profile are removed again. */
const WORD_STEPS: readonly Step[] = [
  {
    route: 'PUT /profile',
    by: 'maker',
    ask: () => ({ body: { name: 'Mira', bio: 'Makes markets', profile_image: '' } }),
  },
  {
    route: 'POST /comments',
    by: 'maker',
    ask: () => ({
      body: {
        body: 'The turnout decides it.',
        parent_entity_type: 'Event',
        parent_entity_id: EVENT_ID,
        key: 'draft-7',
      },
    }),
    note: (response, { notes }) => {
      const id = isJsonObject(response) ? response.id : '';
      notes.set(OWN_COMMENT, `${id}`);
    },
  },
  {
    route: 'PUT /comments/{id}',
    by: 'maker',
    ask: (world) => ({ params: ownComment(world), body: { body: 'Turnout decides it.' } }),
  },
  {
    route: 'POST /comments/{id}/reactions',
    by: 'taker',
    ask: (world) => ({ params: ownComment(world), body: { reaction_type: 'HEART', icon: '❤' } }),
  },
  {
    route: 'DELETE /comments/{id}/reactions',
    by: 'taker',
    ask: (world) => ({ params: ownComment(world), query: { reaction_type: 'HEART' } }),
  },
  {
    route: 'POST /comments/{id}/reports',
    by: 'taker',
    ask: (world) => ({ params: ownComment(world), body: { reason: 'It is about something else' } }),
  },
  {
    route: 'DELETE /comments/{id}',
    by: 'maker',
    ask: (world) => ({ params: ownComment(world) }),
  },
];

export const CATALOG_STEPS: readonly Step[] = [
  { prepare },
  { route: 'GET /events', ask: part },
  { route: 'GET /events/{id}', ask: byId(EVENT_ID) },
  { route: 'GET /events/slug/{slug}', ask: bySlug(EVENT_SLUG) },
  { route: 'GET /events/{id}/tags', ask: byId(EVENT_ID) },
  { route: 'GET /events/{id}/comments/count', ask: byId(EVENT_ID) },
  { route: 'GET /events/keyset', ask: part },
  { route: 'GET /events/pagination', ask: part },
  { route: 'GET /events/creators' },
  { route: 'GET /events/creators/{id}', ask: byId('1') },
  { route: 'GET /markets/keyset', ask: part },
  {
    route: 'POST /markets/information',
    ask: () => ({ body: { id: [Number(MARKET_ID)] } }),
  },
  {
    route: 'GET /markets/slug/{slug}',
    ask: bySlug('will-ada-lindqvist-win-the-2027-port-meridian-mayoral-election'),
  },
  { route: 'GET /markets/{id}/description', ask: byId(MARKET_ID) },
  { route: 'GET /markets/{id}/tags', ask: byId(MARKET_ID) },
  { route: 'GET /series', ask: part },
  { route: 'GET /series/{id}', ask: byId('1') },
  { route: 'GET /series/{id}/comments/count', ask: byId('1') },
  { route: 'GET /tags' },
  { route: 'GET /tags/{id}', ask: byId('7') },
  { route: 'GET /tags/slug/{slug}', ask: bySlug('weather') },
  { route: 'GET /tags/{id}/related-tags', ask: byId('7') },
  { route: 'GET /tags/slug/{slug}/related-tags', ask: bySlug('sports') },
  { route: 'GET /tags/{id}/related-tags/tags', ask: byId('7') },
  { route: 'GET /tags/slug/{slug}/related-tags/tags', ask: bySlug('weather') },
  { route: 'GET /comments', ask: () => ({ query: { event_slug: EVENT_SLUG } }) },
  { route: 'GET /comments/keyset', ask: () => ({ query: { event_slug: EVENT_SLUG } }) },
  { route: 'GET /comments/{id}', ask: comment },
  { route: 'GET /comments/user_address/{user_address}', ask: byUser },
  { route: 'GET /public-profile', ask: () => ({ query: { address: ADA } }) },
  { route: 'GET /profiles/user_address/{user_address}', ask: byUser },
  { route: 'GET /public-search', ask: () => ({ query: { q: 'turnout', limit_per_type: 1 } }) },
  { route: 'GET /teams' },
  { route: 'GET /sports' },
  { route: 'GET /sports/market-types' },
  { route: 'GET /market-clarifications' },
  ...WORD_STEPS,
];
