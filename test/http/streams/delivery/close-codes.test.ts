import { readFileSync } from 'node:fs';
import t from 'tap';
import { STREAM_BOUNDS } from '../../../../http/streams/delivery/bounds.ts';
import {
  faultMessage,
  STREAM_FAULTS,
  StreamError,
} from '../../../../http/streams/delivery/close-codes.ts';

const text = readFileSync(new URL('../../../../http/streams/streams.md', import.meta.url), 'utf8');

/** The cells of the table that begins with a heading. */
function rowsOf(heading: string): string[][] {
  const [, rest = ''] = text.split(`| ${heading} |`);
  const [table = ''] = rest.split('\n\n');
  return table
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, ...cells]) => cells.slice(0, -1));
}

t.test(
  'the document has the same errors and close codes as the table, word for word',
  async (t) => {
    const rows = Object.entries(STREAM_FAULTS).map(([code, fault]) => {
      const closeCode = 'closeCode' in fault ? String(fault.closeCode) : '';
      return [`\`${code}\``, closeCode, fault.text, fault.docs];
    });
    t.strictSame(rowsOf('code | close code | text | when'), rows);
  },
);

t.test('the document has the same bounds as the table', async (t) => {
  const rows = Object.entries(STREAM_BOUNDS).map(([name, value]) => [
    `\`${name}\``,
    value.toLocaleString('en'),
  ]);
  t.strictSame(
    rowsOf('bound | value | meaning').map((cells) => cells.slice(0, 2)),
    rows,
  );
});

t.test('close codes are those that a server may send, and each has a short reason', async (t) => {
  for (const [code, fault] of Object.entries(STREAM_FAULTS)) {
    t.ok(Buffer.byteLength(fault.text) <= 123, `${code} fits a close frame`);
    if (!('closeCode' in fault)) continue;
    const { closeCode } = fault;
    t.ok(
      [1001, 1002, 1008, 1012, 1013].includes(closeCode) || (closeCode >= 4000 && closeCode < 5000),
      code,
    );
  }
});

t.test('an error has its code, message and details', async (t) => {
  const error = new StreamError('too_many_subscriptions', { limit: 2, actual: 3 });
  t.strictSame(JSON.parse(faultMessage(error)), {
    type: 'error',
    message: 'too many subscriptions',
    code: 'too_many_subscriptions',
    limit: 2,
    actual: 3,
  });
});
