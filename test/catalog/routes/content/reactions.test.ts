import t from 'tap';
import { Compile } from 'typebox/compile';
import { postReaction } from '../../../../catalog/routes/content/reactions.ts';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { CONTENT_BOUNDS } from '../../../../persistence/index.ts';
import type { Message } from '../../../http/streams/stream-client.ts';
import { ask, listen, say, shareSpeakers } from './content-fixture.ts';

const isReaction = Compile(postReaction.response);

const speak = await shareSpeakers(t);

t.test('a reaction counts once for each kind and user, and can be removed', async (t) => {
  const speakers = await speak();
  const { exchange, ada, ben } = speakers;
  const { id } = await say(speakers, ada);
  const path = `/comments/${id}/reactions`;
  const heart = { reaction_type: 'HEART' };
  const count = async () => {
    const [comment] = JSON.parse((await exchange.send('GET', `/comments/${id}`)).text);
    return [comment.reactionCount, comment.reactions.length];
  };
  const { status, body } = await ask(ben, 'POST', path, { ...heart, icon: '❤' });
  t.equal(status, 200);
  t.ok(isReaction.Check(body), 'as documented');
  t.match(body, {
    commentID: Number(id),
    reactionType: 'HEART',
    icon: '❤',
    userAddress: toChecksumAddress(ben.address),
    duplicate: false,
  });
  t.match((await ask(ben, 'POST', path, heart)).body, { id: body.id, duplicate: true });
  await ask(ada, 'POST', path, heart);
  t.same(await count(), [2, 2]);
  const gone = await ask(ben, 'DELETE', `${path}?reaction_type=HEART`);
  t.same(gone.body, { id, reaction_type: 'HEART', duplicate: false });
  t.match((await ask(ben, 'DELETE', `${path}?reaction_type=HEART`)).body, { duplicate: true });
  t.same(await count(), [1, 1]);
  const [last, next] = ['LAST', 'NEXT'].map((type) => ({ reaction_type: type }));
  const removed = await ask(ben, 'POST', path, last);
  await ask(ben, 'DELETE', `${path}?reaction_type=LAST`);
  const later = await ask(ben, 'POST', path, next);
  t.ok(Number(later.body.id) > Number(removed.body.id), 'no id is given twice');
  await ask(ben, 'DELETE', `${path}?reaction_type=NEXT`);
  const refused: readonly (readonly [body: object, expected: object])[] = [
    [{}, { code: 'missing_field', field: 'reaction_type' }],
    [{ reaction_type: 'heart' }, { code: 'invalid_payload', field: 'reaction_type' }],
    [
      { ...heart, icon: 'a\nb' },
      { code: 'invalid_payload', field: 'icon' },
    ],
  ];
  for (const [wrong, expected] of refused) {
    t.match(await ask(ben, 'POST', path, wrong), { status: 400, body: expected });
  }
  t.match(await ask(ben, 'POST', '/comments/5/reactions', heart), { status: 404 });
  for (let kind = 1; kind <= CONTENT_BOUNDS.reactionsAUser; kind += 1) {
    t.match(await ask(ben, 'POST', path, { reaction_type: `K${kind}` }), { status: 200 });
  }
  t.match(await ask(ben, 'POST', path, heart), {
    status: 409,
    body: { code: 'comment_bound', field: 'reaction_type', actual: '10' },
  });
});

function briefOf({ topic, type, payload }: Message) {
  return { topic, type, payload };
}

t.test('subscribers get comments and reactions after they are stored', async (t) => {
  const speakers = await speak();
  const { ada, ben, eventId, eventSlug, marketId } = speakers;
  const ofEvent = { parentEntityID: eventId, parentEntityType: 'Event' };
  const asking = (filters?: unknown, type = '*') =>
    listen(t, speakers, [{ topic: 'comments', type, filters }]);
  const all = await asking();
  const event = await asking(JSON.stringify(ofEvent));
  const slug = await asking({ event_slug: eventSlug.toUpperCase() });
  const other = await asking({ parentEntityID: eventId + 1, parentEntityType: 'Event' });
  const removals = await asking(ofEvent, 'comment_removed');
  const both = await listen(t, speakers, [
    { topic: 'comments', type: '*' },
    { topic: 'comments', type: '*', filters: ofEvent },
  ]);
  const comment = await say(speakers, ada);
  const { id } = comment;
  await say(speakers, ada);
  const path = `/comments/${id}/reactions`;
  const { body: reaction } = await ask(ben, 'POST', path, { reaction_type: 'HEART' });
  await ask(ben, 'POST', path, { reaction_type: 'HEART' });
  await ask(ben, 'DELETE', `${path}?reaction_type=HEART`);
  await ask(ada, 'PUT', `/comments/${id}`, { body: 'Rain.' });
  await ask(ada, 'DELETE', `/comments/${id}`);
  const onMarket = await say(speakers, ada, {
    parent_entity_type: 'market',
    parent_entity_id: marketId,
  });
  const { duplicate: _, ...created } = comment.body;
  const { duplicate: __, ...reacted } = reaction;
  const expected = [
    { topic: 'comments', type: 'comment_created', payload: created },
    {
      topic: 'comments',
      type: 'reaction_created',
      payload: {
        ...reacted,
        commentID: Number(id),
        userAddress: toChecksumAddress(ben.address),
        parentEntityType: 'Event',
        parentEntityID: eventId,
        comment: { id, reactionCount: 1 },
      },
    },
    {
      type: 'reaction_removed',
      payload: { id: reaction.id, reactionType: 'HEART', comment: { id, reactionCount: 0 } },
    },
    { type: 'comment_removed', payload: { id, body: 'Rain.' } },
    { type: 'comment_created', payload: { id: onMarket.id, ...ofEvent } },
  ];
  for (const client of [all, event, slug, other, removals, both]) await client.settled();
  t.match(all.messages.map(briefOf), expected, 'none for duplicates or edits');
  t.same(all.messages[0]?.payload, created, 'the same as the answer');
  t.equal(typeof all.messages[0]?.timestamp, 'number');
  t.match(event.messages.map(briefOf), expected, 'a comment on its market, too');
  t.match(slug.messages.map(briefOf), expected);
  t.same(other.messages, []);
  t.match(removals.messages.map(briefOf), [expected[3]]);
  t.equal(both.messages.length, 5, 'each once, although both match');
  const counts = [all, event, slug].map(({ messages }) => messages.length);
  t.same(counts, [5, 5, 5]);
});

t.test('invalid queries are refused with their reason', async (t) => {
  const speakers = await speak();
  const rows: readonly (readonly [filters: object, field: string])[] = [
    [{ parentEntityID: 'x' }, 'parentEntityID'],
    [{ parentEntityID: 5, parentEntityType: 'Tag' }, 'parentEntityType'],
    [{ parentEntityID: 5, parentEntityType: 'market' }, 'parentEntityType'],
    [{ parentEntityType: 'Event' }, 'parentEntityID'],
  ];
  for (const [filters, field] of rows) {
    const client = await listen(t, speakers, [{ topic: 'comments', type: '*', filters }]);
    t.match(client.messages, [{ type: 'error', field }]);
  }
});
