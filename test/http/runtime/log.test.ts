import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createLog } from '../../../http/runtime/log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

t.test('fields with the name of a secret are not written', async (t) => {
  const path = join(temporaryFolder(t), 'log');
  const fd = openSync(path, 'w');
  t.teardown(() => closeSync(fd));
  const log = createLog('info', fd);
  const credentials = { apiKey: 'known', secret: 'hush', passphrase: 'hush' };
  log.info({ credentials, headers: { authorization: 'hush' }, owner: '0xab' }, 'a request');
  log.error({ request: { order: { signature: 'hush', salt: 7 } }, adminToken: 'hush' }, 'failed');
  const values = { API_KEY: 'known', PASSPHRASE: 'hush', SIGNATURE: 'hush' };
  log.warn({ headers: { prefix: 'POLY', values, authorization: 'hush' } }, 'headers');
  log.debug('below its level');
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(lines, [
    { msg: 'a request', credentials: { apiKey: 'known', secret: '[Redacted]' }, owner: '0xab' },
    { msg: 'failed', request: { order: { salt: 7, signature: '[Redacted]' } } },
  ]);
  t.match(lines[2], { headers: { values: { API_KEY: 'known', PASSPHRASE: '[Redacted]' } } });
  t.equal(lines.length, 3);
  t.notMatch(readFileSync(path, 'utf8'), /hush/);
});
