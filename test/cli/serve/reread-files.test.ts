import { EventEmitter } from 'node:events';
import t from 'tap';
import { rereadOnHangup } from '../../../cli/serve/reread-files.ts';

function recorder() {
  const target = new EventEmitter();
  const told: unknown[] = [];
  const files = rereadOnHangup(target, {
    note: (message) => told.push(message),
    warn: (error, message) => told.push([error, message]),
  });
  return { files, told, hangUp: () => target.emit('SIGHUP') };
}

t.test('each SIGHUP reads all files again, and a refused one changes nothing', async (t) => {
  const { files, told, hangUp } = recorder();
  const failure = new Error('the file is gone');
  const contents: (number | Error)[] = [1, failure, 2];
  files.add('the rate limits', () => {
    const content = contents.shift();
    if (content instanceof Error) throw content;
    told.push(content);
  });
  files.add('the operators', () => told.push('others'));
  t.strictSame(told, [], 'nothing is read before a signal');
  for (let count = 0; count < 3; count++) hangUp();
  const others = ['others', 'the operators were read again'];
  t.strictSame(told, [
    ...[1, 'the rate limits were read again', ...others],
    ...[[failure, 'the file is refused; the rate limits stay as they were'], ...others],
    ...[2, 'the rate limits were read again', ...others],
  ]);
});

t.test('SIGHUP without a file is logged and ignored', async (t) => {
  const { told, hangUp } = recorder();
  t.equal(hangUp(), true, 'it has a listener, so it does not end the process');
  t.strictSame(told, ['SIGHUP is ignored: there is no file to read again']);
});
