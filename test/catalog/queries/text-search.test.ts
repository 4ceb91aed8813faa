// Compares searches by words with a plain filter over folded texts, in many scripts; order; pages.

import Database from 'better-sqlite3';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { foldText, wordsOf } from '../../../persistence/shared/fold.ts';
import { times } from '../../long-set.ts';
import { answerValue } from '../../persistence/answer-value.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, marketRecord } from '../fixture.ts';

interface Found {
  readonly events: readonly { readonly id: string; readonly title: string }[];
  readonly tags: readonly { readonly slug: string; readonly event_count: number }[];
  readonly pagination: { readonly hasMore: boolean; readonly totalResults: number };
}

type Search = (text: string, changes?: object) => Found;

function filled(t: Test, records: readonly object[]): Search {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  catalog.importEvents(records);
  catalog.close();
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  const answers = new CatalogAnswers(database);
  return (text, changes = {}) => {
    const question = { text, limit: 500, page: 1, withTags: true, ...changes };
    const answer = answers.answer('search', question);
    if (answer === undefined) throw new Error('a search is always answered');
    return answerValue(answer);
  };
}

/** Words of many scripts, some of one or two characters, some with accents or quotes. */
const WORDS = [
  ...['Rain', 'rains', 'Oslo', 'Ostrava', 'Straße', 'STRASSE', 'Québec', 'a', 'ab', 'abc', 'x"y'],
  ...[
    'Москва',
    'москве',
    'Αθήνα',
    'οδός',
    'İzmir',
    '東京',
    '東',
    '서울',
    'القاهرة',
    'दिल्ली',
    '🎉',
    '🎉🎉x',
  ],
];
const word = fc.constantFrom(...WORDS);
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

function withTitles(titles: readonly string[], questions: readonly string[]) {
  return titles.map((one, index) =>
    eventRecord(index + 1, {
      slug: `e${index + 1}`,
      title: one,
      markets: [marketRecord(index + 1, { slug: `m${index + 1}`, question: questions[index] })],
    }),
  );
}

t.test('a search finds the events that contain all its words, in any script', async (t) => {
  const titles = fc.sample(title, { numRuns: 60, seed: 7 });
  const questions = fc.sample(title, { numRuns: 60, seed: 8 });
  const search = filled(t, withTitles(titles, questions));
  const texts = titles.map((one, index) =>
    foldText(`${one}\ne${index + 1}\n${questions[index]}\nm${index + 1}`),
  );
  const oracle = (text: string): number[] =>
    texts.flatMap((haystack, index) =>
      wordsOf(text).every((one) => haystack.includes(one)) ? [index + 1] : [],
    );
  // A part of a word, of one character or more, in another case.
  const part = fc
    .tuple(word, fc.nat(5), fc.integer({ min: 1, max: 6 }), fc.boolean())
    .map(([whole, from, count, isUpper]) => {
      const characters = Array.from(whole);
      const some = characters
        .slice(from % characters.length)
        .slice(0, count)
        .join('');
      return isUpper ? some.toUpperCase() : some;
    });
  const runs = times(150, 500);
  let [few, many] = [0, 0];
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
      const text = parts.join(' ');
      const { events, pagination } = search(text);
      const actual = events.map(({ id }) => Number(id)).toSorted((a, b) => a - b);
      const expected = oracle(text);
      few += expected.length > 0 && expected.length < 10 ? 1 : 0;
      many += expected.length >= 10 ? 1 : 0;
      if (`${actual}` !== `${expected}`) throw new Error(`"${text}": ${actual}, not ${expected}`);
      if (pagination.totalResults !== expected.length) throw new Error('the total is wrong');
    }),
    { numRuns: runs },
  );
  // Half of all draws find a few and a third find many: an eighth is six standard deviations off.
  t.ok(few > runs / 8 && many > runs / 8, `${few} of ${runs} found a few, ${many} many`);
});

t.test(
  'titles that begin with the text rank first, then those that contain it, its words, markets',
  async (t) => {
    const titles = [
      'Will rain fall?',
      'Rain in Oslo',
      'Oslo: rain in March',
      'In Oslo, much rain',
      'x',
    ];
    const search = filled(
      t,
      withTitles(
        titles,
        ['', '', '', '', 'rain in Oslo?'].map((q) => q || 'q'),
      ),
    );
    t.strictSame(
      search('rain in oslo').events.map(({ title: one }) => one),
      ['Rain in Oslo', 'In Oslo, much rain', 'Oslo: rain in March', 'x'],
    );
    t.strictSame(
      search('RAIN').events.map(({ title: one }) => one),
      ['Rain in Oslo', 'In Oslo, much rain', 'Oslo: rain in March', 'Will rain fall?', 'x'],
    );
  },
);

t.test('among equal matches, open events with volume come first', async (t) => {
  const state = [{ closed: true, volume24hr: 9 }, {}, { volume24hr: 5 }, { active: false }];
  const records = state.map((fields, index) =>
    eventRecord(index + 1, { title: 'Rain', ...fields }),
  );
  const search = filled(t, records);
  t.strictSame(
    search('rain').events.map(({ id }) => id),
    ['3', '2', '1', '4'],
  );
});

t.test('pages of a search are parts of one order, beyond the ranked results too', async (t) => {
  const titles = Array.from({ length: 450 }, (_, index) =>
    index % 3 === 0 ? `Rain ${index}` : `Much rain ${index}`,
  );
  const search = filled(t, withTitles(titles, titles));
  const ids: string[] = [];
  let page = 1;
  for (let hasMore = true; hasMore; page += 1) {
    const found = search('rain', { limit: 40, page });
    ids.push(...found.events.map(({ id }) => id));
    t.equal(found.pagination.totalResults, 450);
    hasMore = found.pagination.hasMore;
  }
  t.strictSame([page, ids.length, new Set(ids).size], [13, 450, 450]);
  t.strictSame(search('rain', { limit: 40, page: 99 }).events, []);
});

const RANKED = 200;

t.test('the order is the same for few matches and for more than are ranked', async (t) => {
  const topics = ['Rain', 'Snow', 'ab', 'a', 'Öl', 'Rain in Oslo', 'Oslo'];
  const titles = Array.from({ length: 480 }, (_, index) => {
    const [one, other] = [topics[index % 7] ?? '', topics[Math.floor(index / 7) % 7] ?? ''];
    return index % 11 === 0
      ? `${one}x${other}`
      : `${one} ${other} ${index % 5 === 0 ? 'rare' : ''}`;
  });
  const questions = titles.map((_, index) => `${topics[(index * 5) % 7]} ${index % 3}`);
  const search = filled(t, withTitles(titles, questions));
  const folded = titles.map(foldText);
  const all = titles.map((one, index) =>
    foldText(`${one}\ne${index + 1}\n${questions[index]}\nm${index + 1}`),
  );
  /** The newest matches of each step, up to RANKED in all; then the others, newest first. */
  const oracle = (text: string): string[] => {
    const words = wordsOf(text);
    const whole = foldText(text);
    const ids = (fits: (index: number) => boolean) =>
      titles.flatMap((_, index) => (fits(index) ? [index + 1] : [])).reverse();
    const holdsWords = (one: string | undefined) => words.every((word) => one?.includes(word));
    const isLong = Array.from(whole).length > 2;
    const widest = ids((index) => holdsWords(all[index]));
    const steps = [
      ids((index) =>
        Boolean(isLong ? folded[index]?.startsWith(whole) : folded[index]?.includes(whole)),
      ),
      ids((index) => Boolean(folded[index]?.includes(whole))),
      ids((index) => holdsWords(folded[index])),
      widest,
    ];
    const ranked = new Set<number>();
    for (const step of steps) {
      const fresh = step.slice(0, RANKED).filter((id) => !ranked.has(id));
      for (const id of fresh.slice(0, RANKED - ranked.size)) ranked.add(id);
    }
    return [...ranked, ...widest.filter((id) => !ranked.has(id))].map(String);
  };
  const counts = new Set<string>();
  for (const text of ['rain', 'a', 'ab', 'öl', 'oslo rain', 'rain in oslo', 'rare rain', 'ra in']) {
    const { events, pagination } = search(text);
    const expected = oracle(text);
    t.strictSame(
      events.map(({ id }) => id),
      expected,
      `${text}: ${expected.length}`,
    );
    t.equal(pagination.totalResults, expected.length);
    counts.add(expected.length < RANKED ? 'few' : 'many');
  }
  t.equal(counts.size, 2, 'some find few and some many');
});

t.test('tags are found by label and slug, the most used first, and only on request', async (t) => {
  const tags = ['Rainfall', 'Train', 'Snow'].map((label, index) => ({
    id: `${index + 1}`,
    slug: `${label.toLowerCase()}-${index + 1}`,
    label,
  }));
  const search = filled(t, [
    eventRecord(1, { tags: tags.slice(0, 2) }),
    eventRecord(2, { tags: tags.slice(1) }),
  ]);
  t.match(search('RAIN').tags, [
    { slug: 'rainfall-1', event_count: 1 },
    { slug: 'train-2', event_count: 2 },
  ]);
  t.match(search('ai').tags, [{ slug: 'train-2' }, { slug: 'rainfall-1' }]);
  t.strictSame(search('rain', { withTags: false }).tags, []);
  t.match(search('w').tags, [{ slug: 'snow-3' }]);
});

t.test('a search by creator finds only events of this creator', async (t) => {
  const search = filled(t, [
    eventRecord(1, { title: 'Rain', creator: '0xAB' }),
    eventRecord(2, { title: 'Rain', creator: '0xcd' }),
  ]);
  const found = search('rain', { creator: '0xab' });
  t.match(found, { events: [{ id: '1' }], pagination: { totalResults: 1, hasMore: false } });
  t.strictSame(search('ra', { creator: 'no such site' }).events, []);
});

t.test('changed records are found by their new words only', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  t.teardown(() => catalog.close());
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  catalog.importEvents([eventRecord(1, { title: 'Rain' })]);
  const answers = new CatalogAnswers(database);
  const total = (text: string): unknown => {
    const answer = answers.answer('search', { text, limit: 5, page: 1, withTags: true });
    return answer && answerValue(answer).pagination.totalResults;
  };
  t.strictSame(['rain', 'snow', 'ra', 'sn'].map(total), [1, 0, 1, 0]);
  catalog.importEvents([eventRecord(1, { title: 'Snow' })]);
  t.strictSame(['rain', 'snow', 'ra', 'sn'].map(total), [0, 1, 0, 1]);
});

/** Letters that have a case, or that the case folding of Unicode changes. */
const FOLDED_LETTERS = /[\p{Cased}\p{Changes_When_NFKC_Casefolded}]/u;

t.test(
  'a letter and its lower case fold to the same text, and folding again changes nothing',
  async (t) => {
    const wrong: string[] = [];
    let count = 0;
    for (let point = 0x80; point <= 0x10ffff; point += 1) {
      const isSurrogate = point >= 0xd800 && point <= 0xdfff;
      const letter = String.fromCodePoint(point);
      if (isSurrogate || !FOLDED_LETTERS.test(letter)) continue;
      count += 1;
      const folded = foldText(letter);
      const others = [foldText(folded), foldText(letter.toLowerCase())];
      if (others.some((other) => other !== folded)) wrong.push(`${letter}: ${folded}, ${others}`);
    }
    t.strictSame(wrong, []);
    t.ok(count > 9_000, `${count} letters`);
  },
);

t.test('folding twice changes nothing, and case and accents are folded away', async (t) => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => foldText(foldText(text)) === foldText(text),
    ),
  );
  const pairs = [
    ...[
      ['STRASSE', 'straße'],
      ['STRAẞE', 'straße'],
      ['İZMİR', 'izmir'],
      ['ΟΔΟΣ', 'οδός'],
      ['ÉCOLE', 'école'],
      ['driver’s “own” 5–3', `driver's "own" 5-3`],
    ],
    ...[
      ['ﬁsh', 'FISH'],
      ['Ａ', 'a'],
      ['ｶﾞ', 'ガ'],
      ['한국', '한국'],
    ],
  ] as const;
  for (const [one, other] of pairs) t.equal(foldText(one), foldText(other), `${one} ${other}`);
  t.not(foldText('が'), foldText('か'), 'other scripts keep their marks');
});
