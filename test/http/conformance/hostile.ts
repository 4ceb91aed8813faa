// Values that have broken servers before: what no client should send and some do.
import fc from 'fast-check';
import type { Json } from '../../../http/documentation/schema.ts';

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '007',
  '1e999',
  '0x',
  `0x${'f'.repeat(64)}`,
  '9'.repeat(78),
  '9'.repeat(400),
  '0.1.2',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a,b',
  '%',
  '\u0000',
  'é\u0301',
  '💥',
  '\ud800',
  '\u202e',
  "'; DROP TABLE orders; --",
  '../../etc/passwd',
  'x'.repeat(3_000),
];

const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e21,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  [],
  {},
  [null],
  [[]],
  nested(40),
  nested(1_500),
  Array.from({ length: 600 }, () => null),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
  // Parsed, so that `__proto__` is an own key.
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'),
  JSON.parse('{"length":1e9,"0":"a"}'),
];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

export const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(...VALUES),
  hostileText,
  // Safe: what JSON.parse gives is JSON.
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as Json),
);

/** Bodies that are not JSON, or unusual JSON. */
export const brokenBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    '',
    ' ',
    '{',
    '[',
    '"',
    'null',
    'NaN',
    '{"a":1}x',
    '\ufeff{}',
    '[1,]',
    "{'a':1}",
    '{"a":1,"a":2}',
    '{"token_id":"\\ud800"}',
    '[{"token_id":"1","token_id":[]}]',
    '1e999',
    '-',
    '['.repeat(20_000),
    '{"a":'.repeat(8_000),
    `"${'x'.repeat(66_000)}"`,
    `[${'0,'.repeat(140_000)}0]`,
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  ),
  fc.string({ maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
