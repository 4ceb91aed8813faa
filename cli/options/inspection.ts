/**
 * Reads the operands of `inspect`. Invariant: everything that is wrong regardless of the data
 * folder is refused here.
 */
import { closestWord } from '../../http/codec/index.ts';
import { UsageError } from '../parser/parse-arguments.ts';

export type Inspection =
  | { readonly what: 'command'; readonly seq: number }
  | { readonly what: 'snapshot'; readonly seq: number }
  | { readonly what: 'fill'; readonly seq: number; readonly ordinal: number | undefined }
  | { readonly what: 'order' | 'account' | 'market'; readonly id: string }
  | { readonly what: 'snapshots' }
  | { readonly what: 'journal' };

export const INSPECT_USAGE =
  'command SEQ | fill SEQ[.ORDINAL] | order ID | account ADDRESS | market ID | ' +
  'snapshot [SEQ] | journal';

interface Row {
  /** Says what the second word must be: completes "it must be". */
  readonly must: string;
  readonly parse: (word: string) => Inspection | undefined;
}

const SEQ = /^[1-9][0-9]{0,14}$/;
const FILL = /^([1-9][0-9]{0,14})(?:\.(0|[1-9][0-9]{0,5}))?$/;
const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const TOKEN = /^[0-9]{1,78}$/;

function seqRow(what: 'command' | 'snapshot'): Row {
  return {
    must: 'a sequence number: a whole number from 1',
    parse: (word) => (SEQ.test(word) ? { what, seq: Number(word) } : undefined),
  };
}

function idRow(what: 'order' | 'account' | 'market', forms: RegExp[], must: string): Row {
  return {
    must,
    parse: (word) => {
      const id = word.toLowerCase();
      return forms.some((form) => form.test(id)) ? { what, id } : undefined;
    },
  };
}

const ROWS: Readonly<Record<string, Row>> = {
  command: seqRow('command'),
  fill: {
    must: 'a sequence number, with or without the number of the fill: 7.0 or 7',
    parse: (word) => {
      const [, seq, ordinal] = FILL.exec(word) ?? [];
      if (seq === undefined) return undefined;
      const number = ordinal === undefined ? undefined : Number(ordinal);
      return { what: 'fill', seq: Number(seq), ordinal: number };
    },
  },
  order: idRow('order', [HASH], 'an order id: 0x and 64 hex digits'),
  account: idRow('account', [ADDRESS], 'an address: 0x and 40 hex digits'),
  market: idRow(
    'market',
    [HASH, TOKEN],
    'a condition id (0x and 64 hex digits) or a token id (a decimal)',
  ),
  snapshot: {
    ...seqRow('snapshot'),
    parse: (word) => (word === '' ? { what: 'snapshots' } : seqRow('snapshot').parse(word)),
  },
  journal: {
    must: 'left out',
    parse: (word) => (word === '' ? { what: 'journal' } : undefined),
  },
};

/** Throws `UsageError`. */
export function parseInspection([what = '', word = '']: readonly string[]): Inspection {
  const row = Object.hasOwn(ROWS, what) ? ROWS[what] : undefined;
  if (row === undefined) {
    const nearest = closestWord(what, Object.keys(ROWS));
    throw new UsageError([
      `inspect can't show "${what}"; the nearest is "${nearest}": inspect ${INSPECT_USAGE}`,
    ]);
  }
  const inspection = row.parse(word);
  if (inspection !== undefined) return inspection;
  const given = word === '' ? 'is missing' : `is "${word}"`;
  throw new UsageError([`the word after "inspect ${what}" ${given}; it must be ${row.must}`]);
}
