/** Records are found in every form of a catalog file, however it is split into chunks. */
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { RecordSplitter, SplitFault } from '../../../catalog/records/record-splitter.ts';
import { times } from '../../long-set.ts';

const BOUNDS = { recordBytes: 10_000, depth: 20 };
const LISTS = ['events', 'markets'];

/** The records of a file, and the fault that ends it; '' for none. */
function split(file: string | Buffer, cuts: readonly number[] = [], bounds = BOUNDS) {
  const bytes = Buffer.from(file);
  const splitter = new RecordSplitter(bounds, LISTS);
  const found: { list: string; text: string; offset: number }[] = [];
  const take = (records: Iterable<{ list: string; bytes: Buffer; offset: number }>): void => {
    for (const { list, bytes: text, offset } of records) {
      found.push({ list, text: text.toString(), offset });
    }
  };
  try {
    // The first chunk shows the form.
    const ends = [...cuts.filter((cut) => cut > 256 && cut < bytes.length), bytes.length];
    ends.forEach((end, index) => {
      // A reader of files reuses the memory of a chunk, so it is overwritten here.
      const chunk = Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end));
      take(splitter.push(chunk));
      chunk.fill(0);
    });
    take(splitter.end());
  } catch (error) {
    if (!(error instanceof SplitFault)) throw error;
    return { found, fault: `${error.message} (${error.offset})` };
  }
  return { found, fault: '' };
}

function textsOf(file: string): string[] {
  return split(file).found.map(({ list, text }) => `${list}:${text}`);
}

t.test('each form of a file gives its records', async (t) => {
  const table: readonly (readonly [string, string[]])[] = [
    ['[]', []],
    [' [ {"a":1} , {"b":[2]} ] ', [':{"a":1}', ':{"b":[2]}']],
    ['\uFEFF[{"a":1}]', [':{"a":1}']],
    ['\uFEFF{"a":1}\n', [':{"a":1}']],
    ['[1,"x",null,[],{}]', [':1', ':"x"', ':null', ':[]', ':{}']],
    ['{"id":"1"}\n{"id":"2"}\r\n', [':{"id":"1"}', ':{"id":"2"}']],
    ['{"id":"1"}{"id":"2"}', [':{"id":"1"}', ':{"id":"2"}']],
    ['{\n  "id": "1",\n  "markets": [ {} ]\n}\n', [':{\n  "id": "1",\n  "markets": [ {} ]\n}']],
    ['7\n8', [':7', ':8']],
    ['{"events":[{"a":1},{}]}', ['events:{"a":1}', 'events:{}']],
    [
      '{"events": [{"a":1}], "count": 3, "cursor":"x", "markets": [{"b":"]}\\""}]}\n',
      ['events:{"a":1}', 'markets:{"b":"]}\\""}'],
    ],
    ['{"other":[{"a":1}]}', [':{"other":[{"a":1}]}']],
    ['["\\"]", "\\\\"]', [':"\\"]"', ':"\\\\"']],
  ];
  for (const [file, expected] of table) {
    t.strictSame(textsOf(file), expected, file);
    t.equal(split(file).fault, '', file);
  }
});

t.test('a file without a known form, or cut off, is a fault at its byte', async (t) => {
  const table: readonly (readonly [string, RegExp])[] = [
    ['', /^the file is empty|^$/],
    ['[{"a":1}', /ends in the middle .* \(8\)/],
    ['[{"a":1', /ends in the middle/],
    ['{"a":"', /ends in the middle/],
    ['{"events":[{}]', /ends in the middle/],
    ['[{}{}]', /"{" is not allowed here \(3\)/],
    ['[,{}]', /"," is not allowed here \(1\)/],
    ['[{},]', /"]" is not allowed here \(4\)/],
    ['[{},,{}]', /"," is not allowed here \(4\)/],
    ['[{}}', /"}" is not allowed here \(3\)/],
    ['[{}] {}', /more after the end of the list \(5\)/],
    ['{"events":[{}]} x', /more after the end/],
    ['{"events":[{}],"more":{"a":1}}', /more after the end/],
    ['{} ]', /"]" is not allowed here/],
    [`[${'['.repeat(21)}`, /nested deeper than 20 levels/],
    [`[{"a":"${'x'.repeat(10_000)}"}]`, /the record at byte 1 has more than 10000 bytes/],
  ];
  for (const [file, expected] of table) t.match(split(file).fault, expected, file.slice(0, 40));
});

t.test('the chunks of a file make no difference', async () => {
  const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  await fc.assert(
    fc.property(
      fc.array(record, { maxLength: 30 }),
      fc.array(fc.integer({ min: 257, max: 4_000 }), { maxLength: 8 }),
      fc.constantFrom('list', 'wrapper', 'lines', 'pretty'),
      (records, cuts, form) => {
        const space = ' '.repeat(300);
        const texts = records.map((one) => JSON.stringify(one, null, form === 'pretty' ? 2 : 0));
        const file = {
          list: `[${space}${texts.join(' ,')}]`,
          wrapper: `{"markets":[${space}${texts.join(',')}]}`,
          lines: `{"id":1}${space}\n${texts.join('\n')}`,
          pretty: `[${space}${texts.join(',\n')}\n]`,
        }[form];
        const { found, fault } = split(
          file,
          cuts.toSorted((a, b) => a - b),
        );
        assert.equal(fault, '');
        const expected = form === 'lines' ? ['{"id":1}', ...texts] : texts;
        assert.deepEqual(
          found.map(({ text }) => text),
          expected,
        );
        const bytes = Buffer.from(file);
        for (const { text, offset } of found) {
          assert.equal(bytes.subarray(offset, offset + Buffer.byteLength(text)).toString(), text);
        }
      },
    ),
    { numRuns: 300 },
  );
});

t.test('any bytes give records or a fault', async (t) => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('[]{},:"\\ \n1a')), { maxLength: 60 });
  fc.assert(
    fc.property(bytes, (list) => {
      split(Buffer.from(list));
    }),
    { numRuns: times(1_000, 3_000) },
  );
  t.pass();
});
