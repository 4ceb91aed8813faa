import t from 'tap';
import { parseOperators } from '../../../http/operators/operators-file.ts';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const ADA = { name: 'Ada', roles: ['admin'], tokenHashes: [HASH] };

t.test('a file lists operators with names, roles and hashes of tokens', async (t) => {
  const bob = {
    name: 'bob@desk',
    roles: ['reader', 'markets'],
    tokenHashes: [OTHER.toUpperCase()],
  };
  t.strictSame(parseOperators({ operators: [ADA, bob] }), {
    operators: [
      { name: 'Ada', roles: ['admin'], digests: [Buffer.from(HASH, 'hex')] },
      { name: 'bob@desk', roles: ['reader', 'markets'], digests: [Buffer.from(OTHER, 'hex')] },
    ],
    resolutionsNeedTwo: false,
  });
  t.ok(parseOperators({ operators: [ADA, bob], resolutionsNeedTwo: true }).resolutionsNeedTwo);
});

t.test('a wrong file is refused with the place of its first fault', async (t) => {
  const one = (changes: object) => ({ operators: [{ ...ADA, ...changes }] });
  const bob = { name: 'Bob', roles: ['reader'], tokenHashes: [OTHER] };
  const rows: readonly (readonly [file: unknown, message: RegExp])[] = [
    [[], /^the file is "a list of 0"; it must be an object/],
    [{ operator: [] }, /^the file has an unknown key "operator"; the nearest is "operators"/],
    [{}, /^operators is missing; it must be a list of 1 to 100/],
    [{ operators: Array(101).fill(ADA) }, /^operators is "a list of 101"/],
    [{ operators: ['Ada'] }, /^operators\[0\] is "Ada"; it must be an object/],
    [one({ role: 'admin' }), /^operators\[0\] has an unknown key "role"; the nearest is "roles"/],
    [one({ roles: [] }), /^operators\[0\]\.roles is "a list of 0"; it must be a list of 1 to 7/],
    [one({ tokenHashes: Array(5).fill(HASH) }), /^operators\[0\]\.tokenHashes .* a list of 1 to 4/],
    [one({ name: '' }), /^operators\[0\]\.name is ""; it must be 1 to 128 printable/],
    [one({ name: ' Ada' }), /^operators\[0\]\.name is " Ada"/],
    [one({ name: 'A\nda' }), /^operators\[0\]\.name is "A\\nda"/],
    [one({ name: 'clock' }), /^operators\[0\]\.name is "clock"/],
    [one({ roles: ['root'] }), /^operators\[0\]\.roles\[0\] is "root"; it must be one of metrics/],
    [one({ tokenHashes: ['secret'] }), /^operators\[0\]\.tokenHashes\[0\] must be the SHA-256/],
    [{ operators: [ADA, { ...bob, name: 'Ada' }] }, /^operators\[1\] has a name of operators\[0\]/],
    [
      { operators: [ADA, { ...bob, tokenHashes: [HASH] }] },
      /^operators\[1\] has a token hash of operators\[0\]/,
    ],
    [{ operators: [ADA], resolutionsNeedTwo: 2 }, /^resolutionsNeedTwo is 2; it must be true/],
    [
      { operators: [ADA, bob], resolutionsNeedTwo: true },
      /at least 2 operators must then have the role markets or admin, and 1 has/,
    ],
  ];
  for (const [file, message] of rows) {
    t.throws(() => parseOperators(file), { message }, String(message));
    t.throws(() => parseOperators(file), { message: /^(?!.*(secret|abab))/ }, 'repeats no secret');
  }
});
