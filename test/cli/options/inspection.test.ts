import t from 'tap';
import { parseInspection } from '../../../cli/options/inspection.ts';

const HASH = `0x${'aB'.repeat(32)}`;
const ADDRESS = `0x${'Ab'.repeat(20)}`;

t.test('the operands of inspect are read in upper and lower case', async (t) => {
  const rows: readonly (readonly [words: string, inspection: object])[] = [
    ['command 7', { what: 'command', seq: 7 }],
    ['fill 7', { what: 'fill', seq: 7, ordinal: undefined }],
    ['fill 7.0', { what: 'fill', seq: 7, ordinal: 0 }],
    [`order ${HASH}`, { what: 'order', id: HASH.toLowerCase() }],
    [`account ${ADDRESS}`, { what: 'account', id: ADDRESS.toLowerCase() }],
    [`market ${HASH}`, { what: 'market', id: HASH.toLowerCase() }],
    ['market 71', { what: 'market', id: '71' }],
    ['snapshot', { what: 'snapshots' }],
    ['snapshot 20', { what: 'snapshot', seq: 20 }],
    ['journal', { what: 'journal' }],
  ];
  for (const [words, inspection] of rows) {
    t.strictSame(parseInspection(words.split(' ')), inspection, words);
  }
});

t.test(
  'an operand that is not a sequence number, id or address is refused with what it must be',
  async (t) => {
    const rows: readonly (readonly [words: string, message: RegExp])[] = [
      ['command 0', /is "0"; it must be a sequence number/],
      ['command 1e3', /it must be a sequence number/],
      ['fill .1', /it must be a sequence number, with/],
      [`order ${ADDRESS}`, /it must be an order id/],
      [`account ${HASH}`, /it must be an address/],
      ['market x', /it must be a condition id/],
      ['snapshot x', /it must be a sequence number/],
      ['journal 1', /it must be left out/],
      ['constructor 1', /can't show "constructor"; the nearest is/],
      ['jornal', /the nearest is "journal"/],
    ];
    for (const [words, message] of rows) {
      t.throws(() => parseInspection(words.split(' ')), { message }, words);
    }
  },
);
