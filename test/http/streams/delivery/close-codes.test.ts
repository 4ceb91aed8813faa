import t from 'tap';
import {
  faultMessage,
  STREAM_FAULTS,
  StreamError,
} from '../../../../http/streams/delivery/close-codes.ts';

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
