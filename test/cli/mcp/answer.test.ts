import t from 'tap';
import { answerTexts, MOST_CHARACTERS } from '../../../cli/mcp/answer.ts';

const rows = Array.from({ length: 3_000 }, (_, place) => ({ place, text: 'a row of a list' }));

t.test('a short answer is whole, and has no second text', async (t) => {
  t.strictSame(answerTexts({ data: [1, 2] }, { partedBy: ['limit'] }), ['{"data":[1,2]}']);
});

t.test(
  'a long list keeps its start and says how much of it, and how to get the rest',
  async (t) => {
    const [text = '', note] = answerTexts(
      { data: rows, next: 'a' },
      { partedBy: ['limit', 'offset'] },
    );
    const { data, next } = JSON.parse(text);
    t.ok(text.length <= MOST_CHARACTERS && text.length > MOST_CHARACTERS / 3, `${text.length}`);
    t.strictSame(data, rows.slice(0, data.length));
    t.equal(next, 'a');
    t.equal(
      note,
      `Only a part is shown. data: the first ${data.length} of 3000. ` +
        'Ask for other parts with: limit, offset.',
    );
  },
);

t.test('a list that has the newest last keeps its end', async (t) => {
  const [text = '', note] = answerTexts(rows, { keepsEnd: true, partedBy: [] });
  const data = JSON.parse(text);
  t.strictSame(data, rows.slice(-data.length));
  t.equal(note, `Only a part is shown. the list: the last ${data.length} of 3000.`);
});

t.test('lists in lists and long texts are cut too, whatever their number', async (t) => {
  const events = rows.map(() => ({ rules: 'x'.repeat(5_000), markets: rows.slice(0, 50) }));
  const [text = '', note] = answerTexts({ events }, { partedBy: [] });
  t.ok(text.length <= MOST_CHARACTERS);
  t.ok(JSON.parse(text).events.length > 0);
  t.match(note, /events: the first \d+ of 3000; events\[\]\.rules: the first 2000 of 5000 char/);
  t.match(note, /events\[\]\.markets: the first \d+ of 50/);
  const wide = Object.fromEntries(rows.map(({ place }) => [`key ${place}`, 'x'.repeat(300)]));
  const [cut = '', told] = answerTexts(wide, { partedBy: [] });
  t.equal(cut.length, MOST_CHARACTERS);
  t.match(told, `of this text: the first ${MOST_CHARACTERS}`);
});
