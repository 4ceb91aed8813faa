import t from 'tap';
import { readUserText } from '../../../../catalog/routes/content/user-text.ts';
import { ApiError } from '../../../../http/errors/index.ts';

/** As long as a body; `normalize` takes most of a second for it. */
const MARKS = '\u0315\u0300'.repeat(16_000);
const RULES = { field: 'bio', least: 0, most: 500, lines: 'many' } as const;

/** Why a text is refused. */
function limitOf(most: number): unknown {
  try {
    return { read: readUserText(MARKS, { ...RULES, most }) };
  } catch (error) {
    return error instanceof ApiError ? error.details.limit : error;
  }
}

// 64 KB of marks stopped matching for 0.8 s.
t.test('length and marks are checked before a text is normalised', async (t) => {
  const start = process.cpuUsage();
  t.equal(limitOf(500), '0..500 characters');
  t.match(limitOf(MARKS.length), /at most 8 combining marks/);
  const { user } = process.cpuUsage(start);
  t.ok(user < 200_000, `${user} us of processor time`);
});

t.test('a text may come in the longest form of its characters', async (t) => {
  const text = 'ế'.repeat(RULES.most);
  t.equal(readUserText(text.normalize('NFD'), RULES), text);
});
