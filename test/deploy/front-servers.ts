/**
 * nginx and Caddy, started from the files of `deploy/proxy/` in a folder of their own. Only names,
 * ports and paths of the files are replaced: what is tested is what operators install.
 */
import { strict as assert } from 'node:assert';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { waitUntil } from './system.ts';

/** A folder for all files of a server, and the certificate that it shows, for `localhost`. */
export interface Place {
  readonly folder: string;
  readonly certificate: string;
  readonly key: string;
}

export interface FrontServer {
  readonly name: string;
  /** HTTPS, by the name in the certificate. */
  readonly url: string;
  /** Plain HTTP. */
  readonly plainUrl: string;
  /** Everything that it logged, once that has a text: it logs a request after its reply. */
  logWith(text: string): Promise<string>;
  /** Reads its configuration again; with another one, if it is given. */
  reload(change?: (configuration: string) => string): Promise<void>;
  stop(): Promise<void>;
}

type Replacement = readonly [written: string, instead: string];

/** A file of `deploy/proxy/` with other names; each must occur in it. */
function fileWith(name: string, replacements: readonly Replacement[]): string {
  let text = readFileSync(new URL(`../../deploy/proxy/${name}`, import.meta.url), 'utf8');
  for (const [written, instead] of replacements) {
    assert.ok(text.includes(written), `${name} has "${written}"`);
    text = text.replaceAll(written, instead);
  }
  return text;
}

/** Makes a certificate for `localhost` that is its own authority. */
export function makeCertificate(folder: string): Omit<Place, 'folder'> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  return { certificate, key };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  server.close();
  await once(server, 'close');
  return address.port;
}

/** For `waitUntil`: throws while nothing listens. */
function isListening(url: string): () => Promise<boolean> {
  return async () => (await fetch(url, { redirect: 'manual' })).status > 0;
}

function stopper(child: ChildProcess): () => Promise<void> {
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Whether a worker of nginx has taken notice of a reload: it accepts no more connections. */
function isLeaving(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return !existsSync(file) || readFileSync(file, 'utf8').includes('shutting down');
}

function logsIn(folder: string, names: readonly string[]): string {
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

function logReader(read: () => string): FrontServer['logWith'] {
  return async (text) => {
    await waitUntil(`the log has "${text}"`, () => read().includes(text));
    return read();
  };
}

const TEMPORARY_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts Debian's nginx in front of an exchange. */
export async function startNginx(exchange: string, place: Place): Promise<FrontServer> {
  const { folder, certificate, key } = place;
  // The workers of a master that is root are another user.
  chmodSync(folder, 0o755);
  const [port, plainPort] = [await freePort(), await freePort()];
  const temporary = TEMPORARY_FOLDERS.map((name) => `${name}_temp_path ${folder}/${name};`);
  const text = fileWith('nginx.conf', [
    ['/run/nginx.pid', `${folder}/nginx.pid`],
    ['/var/log/nginx/', `${folder}/`],
    ['default 0;', 'default 1;'],
    ['http {\n', `http {\n${temporary.join('\n')}\n`],
    ['127.0.0.1:8080', new URL(exchange).host],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    [`listen [::]:443 ssl http2 default_server;`, ''],
    [`listen [::]:443 ssl http2;`, ''],
    ['/etc/letsencrypt/live/exchange.example/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/exchange.example/privkey.pem', key],
    ['server_name exchange.example;', 'server_name localhost;'],
  ]);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  const words = ['-e', join(folder, 'error.log'), '-c', file];
  const child = spawn('nginx', [...words, '-g', 'daemon off;'], { stdio: 'inherit' });
  const plainUrl = `http://127.0.0.1:${plainPort}`;
  await waitUntil('nginx listens', isListening(plainUrl));
  assert.ok(child.pid !== undefined);
  const { pid } = child;
  return {
    name: 'nginx',
    url: `https://localhost:${port}`,
    plainUrl,
    logWith: logReader(() => logsIn(folder, ['exchange.log', 'error.log'])),
    reload: async (change) => {
      if (change !== undefined) writeFileSync(file, change(text));
      const before = childrenOf(pid);
      execFileSync('nginx', [...words, '-s', 'reload']);
      await waitUntil('new workers of nginx take over', () => before.every(isLeaving));
    },
    stop: stopper(child),
  };
}

/** Starts Debian's Caddy in front of an exchange. */
export async function startCaddy(exchange: string, place: Place): Promise<FrontServer> {
  const { folder, certificate, key } = place;
  const [port, plainPort] = [await freePort(), await freePort()];
  const text = fileWith('Caddyfile', [
    ['\tservers {', `\tadmin unix/${folder}/admin\n\tskip_install_trust\n\tservers {`],
    ['\tservers {', `\thttp_port ${plainPort}\n\thttps_port ${port}\n\tservers {`],
    ['exchange.example {', `localhost {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ['/var/log/caddy/', `${folder}/`],
    ['127.0.0.1:8080', new URL(exchange).host],
  ]);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, text);
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const words = ['--config', file, '--adapter', 'caddyfile'];
  const child = spawn('caddy', ['run', ...words], { stdio: ['ignore', 'ignore', 'pipe'], env });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    log += part;
  });
  const url = `https://localhost:${port}`;
  await waitUntil('Caddy listens', isListening(url)).catch((error) => {
    throw new Error(log, { cause: error });
  });
  return {
    name: 'Caddy',
    url,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    logWith: logReader(() => log + logsIn(folder, ['exchange.log'])),
    reload: async (change) => {
      writeFileSync(file, change === undefined ? text : change(text));
      // Caddy ignores a reload of what it has; --force is what a renewed certificate needs.
      execFileSync('caddy', ['reload', '--force', ...words], { stdio: 'ignore', env });
    },
    stop: stopper(child),
  };
}
