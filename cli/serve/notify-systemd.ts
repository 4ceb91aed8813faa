/**
 * Tells systemd that the exchange is ready, for a unit with `Type=notify`. The message is a
 * datagram to a socket in the file system, which Node can't send: systemd's own program does.
 *
 * Invariant: it does nothing unless systemd asks for the message by NOTIFY_SOCKET.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const SENDER = 'systemd-notify';
const WITHIN_MS = 10_000;

/** Throws if the message could not be sent. */
export async function notifySystemd(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { NOTIFY_SOCKET = '', PATH = '' } = environment;
  if (NOTIFY_SOCKET === '') return;
  const env = { NOTIFY_SOCKET, PATH };
  await promisify(execFile)(SENDER, ['--ready'], { env, timeout: WITHIN_MS });
}
