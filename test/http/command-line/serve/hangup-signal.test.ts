import { EventEmitter } from 'node:events';
import t from 'tap';
import { rereadOnHangup } from '../../../../http/command-line/serve/hangup-signal.ts';

t.test('each SIGHUP reloads the limits, and a refused file replaces nothing', async (t) => {
  const target = new EventEmitter();
  const failure = new Error('the file is gone');
  const files: (number | Error)[] = [1, failure, 2];
  const told: unknown[] = [];
  rereadOnHangup(target, {
    reread: () => {
      const file = files.shift();
      if (file instanceof Error) throw file;
      return file;
    },
    replace: (rules) => told.push(['replaced', rules]),
    note: (message) => told.push(message),
    warn: (error, message) => told.push([error, message]),
  });
  t.strictSame(told, [], 'nothing is read before a signal');
  for (let count = 0; count < 3; count++) target.emit('SIGHUP');
  t.strictSame(told, [
    ['replaced', 1],
    'the rate limits were read again',
    [failure, 'the file of rate limits is refused; the rate limits stay as they were'],
    ['replaced', 2],
    'the rate limits were read again',
  ]);
});
