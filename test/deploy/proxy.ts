/**
 * `npm run test:deploy -- proxy`: an exchange behind Debian's nginx, then behind Debian's Caddy,
 * with the files of `deploy/proxy/` and a certificate made for the test, all on loopback.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { startExchangeProcess } from '../exchange-process.ts';
import {
  type FrontServer,
  makeCertificate,
  type Place,
  startCaddy,
  startNginx,
} from './front-servers.ts';
import { CHECKS, MIDPOINT_LIMIT, type Venue } from './proxy-checks.ts';
import {
  answerForNone,
  keepSockets,
  limitNetworks,
  refuseOtherNames,
  resumeSockets,
} from './proxy-sockets.ts';
import { say } from './system.ts';

type Checks = typeof CHECKS;

interface Kind {
  readonly start: (exchange: string, place: Place) => Promise<FrontServer>;
  readonly checks: Checks;
}

const KINDS: readonly Kind[] = [
  {
    start: startNginx,
    checks: {
      ...CHECKS,
      'three sockets lose nothing in three reloads': keepSockets,
      'other names lead nowhere': refuseOtherNames,
      'connections and requests of a network are limited': limitNetworks,
      'without an exchange the answer is 502': answerForNone,
    },
  },
  {
    start: startCaddy,
    checks: {
      ...CHECKS,
      'a reload closes sockets; a resume has what was missed': resumeSockets,
      'without an exchange the answer is 502': answerForNone,
    },
  },
];

async function checkKind({ start, checks }: Kind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-proxy-'));
  const certificate = makeCertificate(folder);
  setDefaultCACertificates([readFileSync(certificate.certificate, 'utf8')]);
  const limits = join(folder, 'limits.json');
  writeFileSync(limits, JSON.stringify({ loopback: true, limits: { midpoint: MIDPOINT_LIMIT } }));
  const dataDir = join(folder, 'data');
  const flags = ['--trust-proxy', '127.0.0.1', '--rate-limits', limits];
  const exchange = await startExchangeProcess(dataDir, flags);
  let front: FrontServer | undefined;
  try {
    front = await start(exchange.url, { folder, ...certificate });
    const operatorToken = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
    const venue: Venue = { front, exchange, operatorToken };
    for (const [name, check] of Object.entries(checks)) {
      await check(venue);
      say(`${front.name}: ${name}`);
    }
  } finally {
    await front?.stop();
    await exchange.killHard();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const kind of KINDS) await checkKind(kind);
