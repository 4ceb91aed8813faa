import t from 'tap';
import { Compile } from 'typebox/compile';
import { postComment } from '../../../../catalog/routes/content/comments.ts';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { CONTENT_BOUNDS, pseudonymOf } from '../../../../persistence/index.ts';
import { makeReadonlyKey, withKey } from '../../../http/auth/key-fixture.ts';
import { ask, say, shareSpeakers } from './content-fixture.ts';

const isComment = Compile(postComment.response);

const speak = await shareSpeakers(t);

t.test('a new comment is answered in the form of reads, with its author', async (t) => {
  const speakers = await speak();
  const { exchange, ada, ben, eventId } = speakers;
  const first = await say(speakers, ada);
  t.ok(isComment.Check(first.body), 'as documented');
  const author = toChecksumAddress(ada.address);
  t.match(first, {
    status: 200,
    body: {
      body: 'Clouds coming in.',
      parentEntityType: 'Event',
      parentEntityID: eventId,
      parentCommentID: null,
      userAddress: author,
      replyAddress: '',
      createdAt: new Date(exchange.clock.ms).toISOString(),
      profile: { name: '', pseudonym: pseudonymOf(ada.address), baseAddress: author },
      reactions: [],
      replyCount: 0,
      duplicate: false,
    },
  });
  const answer = await say(speakers, ben, { body: 'No.', parent_comment_id: first.id });
  t.match(answer.body, { parentCommentID: first.id, replyAddress: author });
  const { text } = await exchange.send('GET', `/comments/${first.id}`);
  const thread = JSON.parse(text);
  t.match(thread[0], { id: first.id, replyCount: 1 }, 'it can be read');
  t.ok(text.includes(`"id":"${answer.id}"`), 'and so can its reply');
});

t.test('a comment shows the positions of its author in the commented markets', async (t) => {
  const speakers = await speak();
  const { exchange, ada } = speakers;
  const { conditionId, tokenIds } = exchange.plain;
  await ada.signed('POST', '/sets/split', { market: conditionId, amount: '10', key: 's' });
  const { body } = await say(speakers, ada);
  const positions = tokenIds.map((tokenId) => ({ tokenId, positionSize: '10000000' }));
  t.match(body, { profile: { positions } });
});

t.test('a repeated request creates no second comment', async (t) => {
  const speakers = await speak();
  const { exchange, ada, ben } = speakers;
  const first = await say(speakers, ada);
  const again = await say(speakers, ada);
  t.equal(again.id, first.id);
  t.match([first.body.duplicate, again.body.duplicate], [false, true]);
  t.not((await say(speakers, ben)).id, first.id, 'another author');
  t.not((await say(speakers, ada, { body: 'Sun.' })).id, first.id, 'another text');
  const named = await say(speakers, ada, { key: 'k1' });
  t.not(named.id, first.id, 'another key');
  t.equal((await say(speakers, ada, { key: 'k1' })).id, named.id);
  t.match(await say(speakers, ada, { key: 'k1', body: 'Sun.' }), {
    status: 409,
    body: { code: 'record_exists', field: 'key', actual: 'k1' },
  });
  exchange.clock.ms += 2 * 300_000 + 1;
  t.not((await say(speakers, ada)).id, first.id, 'after the retry window');
  const both = await Promise.all([
    say(speakers, ada, { key: 'k2' }),
    say(speakers, ada, { key: 'k2' }),
  ]);
  t.equal(both[0].id, both[1].id, 'also at the same time');
  // In the past the answer was the removed comment.
  const gone = await say(speakers, ada, { body: 'Fog.' });
  await ask(ada, 'DELETE', `/comments/${gone.id}`);
  const anew = await say(speakers, ada, { body: 'Fog.' });
  t.match(anew, { status: 200, body: { body: 'Fog.', duplicate: false } });
  t.not(anew.id, gone.id, 'what was removed may be said again');
  t.equal((await say(speakers, ada, { body: 'Fog.' })).id, anew.id);
  await ask(ada, 'DELETE', `/comments/${both[0].id}`);
  t.match(await say(speakers, ada, { key: 'k2' }), {
    status: 409,
    body: { code: 'comment_removed', field: 'key', actual: 'k2' },
  });
});

t.test('user texts are normalised, validated and bounded', async (t) => {
  const speakers = await speak();
  const { ada } = speakers;
  const most = CONTENT_BOUNDS.commentChars;
  const kept: readonly (readonly [sent: string, kept: string])[] = [
    ['<b onclick="x()">&amp;</b>', '<b onclick="x()">&amp;</b>'],
    ['  e\u0301\r\nnext  ', '\u00e9\nnext'],
    ['👩\u200d👧 نعم \u200f', '👩\u200d👧 نعم \u200f'],
    ['😀'.repeat(most), '😀'.repeat(most)],
  ];
  for (const [sent, body] of kept)
    t.match(await say(speakers, ada, { body: sent }), { body: { body } });
  const refused: readonly (readonly [sent: unknown, limit: unknown])[] = [
    ['', `1..${most} characters`],
    [' \n ', `1..${most} characters`],
    ['😀'.repeat(most + 1), `1..${most} characters`],
    ['a\u0000b', 'a text without control characters except line feeds'],
    ['a\u001b[31m', 'a text without control characters except line feeds'],
    ['a\u2028b', 'a text without control characters except line feeds'],
    ['a\ud800b', /lone surrogates/],
    ['a\ufffe', /noncharacter/],
    ['a\u202egpj.exe', /direction/],
    [`a${'\u0300'.repeat(12)}`, /combining marks/],
    [7, 'string'],
  ];
  for (const [index, [sent, limit]] of refused.entries()) {
    const told = await say(speakers, ada, { body: sent });
    t.match(
      told,
      { status: 400, body: { code: 'invalid_payload', field: 'body', limit } },
      `row ${index}`,
    );
    t.equal(told.body.type, 'bad request');
  }
});

t.test('a comment needs a known parent', async (t) => {
  const speakers = await speak();
  const { exchange, ada, eventId, marketId } = speakers;
  const on = (type: string, id: unknown, changes = {}) =>
    say(speakers, ada, { parent_entity_type: type, parent_entity_id: id, ...changes });
  const ofMarket = await on('market', `${marketId}`);
  // In the past its parent was of the type "market", which no published client can read.
  t.match(ofMarket.body, { parentEntityType: 'Event', parentEntityID: eventId });
  const listed = `/comments?parent_entity_type=market&parent_entity_id=${marketId}`;
  t.match(JSON.parse((await exchange.send('GET', listed)).text), [{ id: ofMarket.id }]);
  const elsewhere = await on('Event', (await speak()).eventId);
  const rows: readonly (readonly [Awaited<ReturnType<typeof on>>, number, object])[] = [
    [await on('market', 999_999), 404, { code: 'id_not_found', field: 'parent_entity_id' }],
    [await on('Event', 999_999), 404, { code: 'id_not_found', field: 'parent_entity_id' }],
    [await on('Series', marketId), 404, { code: 'id_not_found', type: 'not found error' }],
    [await on('event', eventId), 400, { field: 'parent_entity_type' }],
    [await on('Event', '1e3'), 400, { field: 'parent_entity_id', limit: 'a numeric id' }],
    [await on('Event', eventId, { parent_comment_id: 5 }), 404, { field: 'parent_comment_id' }],
    [
      await on('Event', eventId, { parent_comment_id: elsewhere.id }),
      400,
      { code: 'invalid_payload', limit: 'a comment of the same Event' },
    ],
    [await on('Event', eventId, { reply_address: '0x12' }), 400, { field: 'reply_address' }],
    [await on('Event', eventId, { key: 'a b' }), 400, { field: 'key' }],
  ];
  for (const [told, status, body] of rows) t.match(told, { status, body });
  let id = (await on('Event', eventId)).id;
  for (let depth = 1; depth <= CONTENT_BOUNDS.commentDepth; depth += 1) {
    const told = await say(speakers, ada, { body: `${depth}`, parent_comment_id: id });
    t.equal(told.status, 200, `${depth} above`);
    id = told.id;
  }
  t.match(await say(speakers, ada, { parent_comment_id: id }), {
    status: 409,
    body: { code: 'comment_bound', field: 'parent_comment_id', actual: '9' },
  });
});

t.test('only its author edits a comment, within a day', async (t) => {
  const speakers = await speak();
  const { exchange, ada, ben } = speakers;
  const { id } = await say(speakers, ada);
  const edit = (who: typeof ada, body: string) => ask(who, 'PUT', `/comments/${id}`, { body });
  exchange.clock.ms += 60_000;
  t.match(await edit(ada, 'Rain.'), {
    status: 200,
    body: {
      id,
      body: 'Rain.',
      duplicate: false,
      updatedAt: new Date(exchange.clock.ms).toISOString(),
    },
  });
  t.match(await edit(ada, 'Rain.'), { status: 200, body: { duplicate: true } });
  t.match(await edit(ben, 'Sun.'), { status: 403, body: { code: 'not_the_author' } });
  t.match(await ask(ada, 'PUT', '/comments/77', { body: 'x' }), { status: 404 });
  t.match(await ask(ada, 'PUT', '/comments/x', { body: 'x' }), {
    status: 400,
    body: { field: 'id' },
  });
  exchange.clock.ms += CONTENT_BOUNDS.commentEditMs;
  t.match(await edit(ada, 'Late.'), {
    status: 409,
    body: { code: 'comment_bound', field: 'createdAt', limit: 'at most 86400 seconds old' },
  });
});

t.test('a removed comment is gone, or keeps its place if it has replies', async (t) => {
  const speakers = await speak();
  const { exchange, ada, ben, eventId } = speakers;
  const read = async (path: string) => JSON.parse((await exchange.send('GET', path)).text);
  const list = () => read(`/comments?parent_entity_type=Event&parent_entity_id=${eventId}`);
  const before = (await list()).length;
  const lone = await say(speakers, ada, { body: 'alone' });
  const first = await say(speakers, ada, { body: 'to be answered' });
  const answer = await say(speakers, ben, { body: 'an answer', parent_comment_id: first.id });
  t.match(await ask(ben, 'DELETE', `/comments/${lone.id}`), { status: 403 });
  t.match(await ask(ada, 'DELETE', `/comments/${lone.id}`), {
    status: 200,
    body: { id: lone.id, body: 'alone', duplicate: false },
  });
  t.match(await ask(ada, 'DELETE', `/comments/${lone.id}`), { body: { duplicate: true } });
  t.match(await ask(ada, 'DELETE', `/comments/${first.id}`), { body: { body: 'to be answered' } });
  t.match(await ask(ada, 'DELETE', `/comments/${first.id}`), { body: { duplicate: true } });
  const left = await list();
  t.equal(left.length, before + 1);
  const place = left.find((one: { id: string }) => one.id === first.id);
  t.match(place, { body: '', userAddress: '', removed: true, profile: { pseudonym: '' } });
  t.match(place.replies, [{ id: answer.id, body: 'an answer' }]);
  t.notOk(JSON.stringify(left).includes('to be answered'));
  for (const [method, path, body] of [
    ['PUT', '', { body: 'again' }],
    ['POST', '/reactions', { reaction_type: 'HEART' }],
    ['POST', '/reports', {}],
  ] as const) {
    const told = await ask(ada, method, `/comments/${first.id}${path}`, body);
    t.match(told, { status: 409, body: { code: 'comment_removed' } }, `${method} ${path}`);
  }
  t.match(await say(speakers, ben, { body: 'late', parent_comment_id: first.id }), { status: 409 });
});

t.test('a comment needs a key that may write and an owner who is not banned', async (t) => {
  const speakers = await speak();
  const { exchange, ada } = speakers;
  t.match(await exchange.send('POST', '/comments', { body: '{}' }), { status: 401 });
  const reader = withKey(exchange, ada, await makeReadonlyKey(ada));
  t.match(await say(speakers, reader), { status: 403, body: { code: 'read_only_key' } });
  const { id } = await say(speakers, ada);
  await exchange.operator('POST', `/owners/${ada.address}/standing`, { standing: 'banned' });
  t.match(await say(speakers, ada, { body: 'again' }), {
    status: 403,
    body: { code: 'owner_banned' },
  });
  t.match(await ask(ada, 'DELETE', `/comments/${id}`), { status: 200 }, 'can still be removed');
});

t.test('a report counts once for each user', async (t) => {
  const speakers = await speak();
  const { exchange, ada, ben } = speakers;
  const { id } = await say(speakers, ada);
  const path = `/comments/${id}/reports`;
  t.same(await ask(ben, 'POST', path, { reason: 'rude' }), {
    status: 200,
    body: { id, reported: true, duplicate: false },
  });
  t.match(await ask(ben, 'POST', path, {}), { body: { duplicate: true } });
  const [comment] = JSON.parse((await exchange.send('GET', `/comments/${id}`)).text);
  t.equal(comment.reportCount, 1);
});
