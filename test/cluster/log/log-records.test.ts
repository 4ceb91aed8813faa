import t from 'tap';
import {
  decodeHead,
  decodeHolder,
  decodeMeta,
  decodePruned,
  EMPTY_HEAD,
  encodeRecord,
  NO_HOLDER,
} from '../../../cluster/log/log-records.ts';

function bytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

t.test('records come back, without fields of newer programs', (t) => {
  const holder = { ...NO_HOLDER, epoch: 3, node: 'a' };
  t.same(decodeHolder('epoch', encodeRecord(holder)), holder);
  t.same(decodeHead('head', bytes({ ...EMPTY_HEAD, later: [1] })), EMPTY_HEAD);
  t.end();
});

t.test('what is not a record of this program is refused', (t) => {
  const malformed: readonly Uint8Array[] = [
    Buffer.alloc(0),
    Buffer.from('{'),
    bytes(null),
    bytes([]),
    bytes({ below: '1' }),
    bytes({ below: -1 }),
    bytes({ below: 1.5 }),
    bytes({ below: 2 ** 53 }),
    bytes({ below: 1, padding: 'x'.repeat(4_096) }),
  ];
  const refusal = {
    code: 'log_refused',
    message: /pruned in etcd is not a record of this program/,
  };
  for (const value of malformed) t.throws(() => decodePruned('pruned', value), refusal, `${value}`);
  const meta = { format: 1, logId: 'id', funding: 'gold', secretCheck: '' };
  t.throws(() => decodeMeta('meta', bytes(meta)), { code: 'log_refused' });
  const newer = { code: 'log_newer', message: /meta has format 2 and this program knows 1/ };
  t.throws(() => decodeMeta('meta', bytes({ format: 2, other: true })), newer);
  t.end();
});
