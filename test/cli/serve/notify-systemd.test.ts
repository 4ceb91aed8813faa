import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { notifySystemd } from '../../../cli/serve/serve.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** A PATH with a program in place of systemd's own, which keeps what it was started with. */
function recorder(folder: string, exitCode: number) {
  const kept = join(folder, 'kept');
  const script = `#!/bin/sh\necho "$NOTIFY_SOCKET $*" > ${kept}\nexit ${exitCode}\n`;
  writeFileSync(join(folder, 'systemd-notify'), script, { mode: 0o755 });
  return { kept, PATH: `${folder}:/usr/bin:/bin` };
}

t.test('systemd is told, on the socket that it names', async (t) => {
  const { kept, PATH } = recorder(temporaryFolder(t), 0);
  await notifySystemd({ NOTIFY_SOCKET: '/run/notify', PATH });
  t.equal(readFileSync(kept, 'utf8'), '/run/notify --ready\n');
});

t.test('without a socket nothing is started', async (t) => {
  const { kept, PATH } = recorder(temporaryFolder(t), 0);
  for (const environment of [{ PATH }, { PATH, NOTIFY_SOCKET: '' }]) {
    await notifySystemd(environment);
  }
  t.notOk(existsSync(kept));
});

t.test('a message that could not be sent is an error', async (t) => {
  const { PATH } = recorder(temporaryFolder(t), 1);
  await t.rejects(notifySystemd({ NOTIFY_SOCKET: '/run/notify', PATH }), { code: 1 });
  const missing = { NOTIFY_SOCKET: '/run/notify', PATH: join(temporaryFolder(t), 'missing') };
  await t.rejects(notifySystemd(missing), { code: 'ENOENT' });
});
