/**
 * Gives a test an exchange of its own, in a process of its own, on free ports.
 *
 * Invariant: the exchange ends with the process that started it, however that ends.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readyLineOf, stopChild } from './child.ts';
import type { Exchange, ExchangeOptions } from './exchange-types.ts';
import { operatorOf, partsOf } from './operator.ts';

/** The program, which finds its own Node. */
const PROGRAM = fileURLToPath(new URL('../../outcome-exchange', import.meta.url));
const TOKEN_BYTES = 32;

/**
 * Starts an exchange and resolves when it is ready. Throws an Error with the end of its log if it
 * does not start.
 */
export async function startExchange(options: ExchangeOptions = {}): Promise<Exchange> {
  const adminToken = randomBytes(TOKEN_BYTES).toString('hex');
  // Loaders of a test runner would slow the exchange down.
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(PROGRAM, flagsOf(options), {
    // The channel tells the exchange when this process ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment, ADMIN_TOKEN: adminToken },
  });
  const ready = await readyLineOf(child, options.onLog).catch(async (error: unknown) => {
    await stopChild(child);
    throw error;
  });
  const { url, adminPort, pid, devAccounts } = ready;
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const operator = operatorOf(adminUrl, adminToken);
  const stop = (): Promise<void> => stopChild(child);
  return {
    url,
    adminUrl,
    adminToken,
    pid,
    accounts: devAccounts,
    ...partsOf(operator, url),
    operator,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function flagsOf({
  dataDir,
  port = 0,
  adminPort = 0,
  crowd = 'off',
  flags = [],
}: ExchangeOptions): string[] {
  const data = dataDir === undefined ? ['--memory'] : ['--data', dataDir];
  const ports = ['--port', String(port), '--admin-port', String(adminPort)];
  return ['serve', '--json', '--stop-with-parent', ...data, ...ports, '--crowd', crowd, ...flags];
}
