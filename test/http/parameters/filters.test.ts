import t from 'tap';
import { ApiError } from '../../../http/errors/errors.ts';
import {
  addressFilter,
  builderFilter,
  hashFilter,
  onlySet,
  timeFilter,
  tokenFilter,
  uuidFilter,
} from '../../../http/parameters/filters.ts';
import { TAKER, TAKER_CHECKSUM } from '../format/records.ts';

type Filter = (text: string | undefined, field: string) => unknown;

const HASH = `0x${'aB'.repeat(32)}`;
const UUID = '28C4d2eb-bbea-40e7-a9f0-b2fdb56b2c2e';

const taken: readonly (readonly [string, Filter, string, unknown])[] = [
  ['a condition id in any case', hashFilter, HASH, HASH.toLowerCase()],
  ['a condition id in capitals', hashFilter, HASH.toUpperCase(), HASH.toLowerCase()],
  ['a trade id in any case', uuidFilter, UUID, UUID.toLowerCase()],
  ['a token id', tokenFilter, '5211', '5211'],
  ['the largest token id', tokenFilter, '9'.repeat(78), '9'.repeat(78)],
  ['a token id with leading zeros', tokenFilter, '005211', '5211'],
  ['the largest one with leading zeros', tokenFilter, `000${'9'.repeat(78)}`, '9'.repeat(78)],
  ['a token id in hexadecimal', tokenFilter, '0xFf', '255'],
  ['the longest one with zeros', tokenFilter, `0x00${'0'.repeat(63)}a`, '10'],
  ['an address in lower case', addressFilter, TAKER, TAKER],
  ['an address with its checksum', addressFilter, TAKER_CHECKSUM, TAKER],
  ['a builder code in any case', builderFilter, HASH, HASH.toLowerCase()],
  ["a builder's address", builderFilter, TAKER_CHECKSUM, `0x${'0'.repeat(24)}${TAKER.slice(2)}`],
  ['seconds', timeFilter, '1780449126', 1_780_449_126_000],
  ['milliseconds', timeFilter, '1780449126930', 1_780_449_126_930],
  ['the epoch', timeFilter, '0', 0],
  ['the last seconds', timeFilter, '99999999999', 99_999_999_999_000],
  ['the first milliseconds', timeFilter, '100000000000', 100_000_000_000],
];
t.test('a filter is accepted in each form that clients send', async (t) => {
  for (const [name, filter, text, expected] of taken) t.equal(filter(text, 'x'), expected, name);
});

const refused: readonly (readonly [string, Filter, string])[] = [
  ['a condition id that is too short', hashFilter, '0xbd31'],
  ['a condition id with another letter', hashFilter, `0x${'g'.repeat(64)}`],
  ['a condition id without 0x', hashFilter, 'ab'.repeat(32)],
  ['a trade id that is not a UUID', uuidFilter, '28c4d2eb'],
  ['a token id with 79 digits', tokenFilter, '1'.repeat(79)],
  ['a negative token id', tokenFilter, '-1'],
  ['a token id of words', tokenFilter, 'yes'],
  ['an empty hexadecimal', tokenFilter, '0x'],
  ['an address that is too short', addressFilter, '0xf39f'],
  ['an address with a mistyped checksum', addressFilter, TAKER_CHECKSUM.replace('F', 'f')],
  ['a builder code of 31 bytes', builderFilter, `0x${'ab'.repeat(31)}`],
  ["a builder's address with a mistyped checksum", builderFilter, TAKER_CHECKSUM.replace('F', 'f')],
  ['a date', timeFilter, '2026-06-03'],
  ['part of a second', timeFilter, '1.5'],
  ['a time before the epoch', timeFilter, '-1'],
  ['a time of 16 digits', timeFilter, '1'.repeat(16)],
];
t.test('an invalid filter is refused with its field and value', async (t) => {
  for (const [name, filter, text] of refused) {
    try {
      t.fail(`${name} was read as ${filter(text, 'x')}`);
    } catch (error) {
      t.ok(error instanceof ApiError && error.code === 'invalid_parameter', name);
      t.match(error, { details: { field: 'x', limit: /\w/, actual: text } });
    }
  }
});

t.test('an absent or empty text is no filter', async (t) => {
  for (const filter of [hashFilter, uuidFilter, tokenFilter, addressFilter, timeFilter]) {
    t.equal(filter(undefined, 'x'), undefined, `${filter.name} of nothing`);
    t.equal(filter('', 'x'), undefined, `${filter.name} of an empty text`);
  }
});

t.test('filters that are not set have no keys', async (t) => {
  t.same(Object.keys(onlySet({ a: undefined, b: 0, c: '' })), ['b', 'c']);
});
