/** Collects the facts that the banner and the ready line show. */
import { join, resolve } from 'node:path';
import { micros } from '../../engine/model/index.ts';
import { microsText } from '../../http/codec/index.ts';
import type { Services } from '../../http/services/index.ts';
import { runsPublicApi } from '../../http/settings/cluster.ts';
import type { Settings } from '../../http/settings/settings.ts';
import type { Running } from '../../venue/index.ts';
import { type DevAccount, EXAMPLE_ORDER, type ExampleMarket, type Ready } from './banner.ts';

/** The first market that accepts the example order. */
function exampleMarket({ registry, exchange }: Services): ExampleMarket | undefined {
  for (const { conditionId, tokenIds, tickTicks, minimumLots } of registry.markets()) {
    const { priceTicks, lots } = EXAMPLE_ORDER;
    if (priceTicks % tickTicks !== 0 || lots < minimumLots) continue;
    const question =
      exchange.catalog.lookup.marketByCondition(conditionId)?.question ?? conditionId;
    return { question, tokenId: tokenIds[0] };
  }
  return undefined;
}

function fundingText({ funding, paperMicros }: Settings): string {
  return funding === 'paper'
    ? `paper: each new account starts with ${microsText(micros(paperMicros))} of play money`
    : 'ledger: accounts get money by deposits of the operator only';
}

/** '' for none. */
function crowdText({ crowd }: Settings): string {
  if (crowd === 'off') return '';
  const text = crowd === 'live' ? 'trade while somebody watches' : 'put quotes on each book';
  return `simulated participants ${text} (none: --crowd off)`;
}

function tokenPlace({ adminToken, operators, temporary }: Settings, dataDir: string): string {
  if (operators !== undefined) return 'of the file that you gave';
  if (adminToken !== undefined) return 'the one you gave';
  return temporary ? 'random; give --admin-token to choose it' : join(dataDir, 'admin.token');
}

export interface ReadyFacts {
  readonly running: Running;
  readonly devAccounts: readonly DevAccount[];
  readonly version: string;
  readonly ms: number;
}

export function describeReady({ running, devAccounts, version, ms }: ReadyFacts): Ready {
  const { url, port, adminPort, services } = running;
  const { settings } = services;
  const { adminHost } = settings;
  const dataDir = settings.temporary ? '' : resolve(settings.dataDir);
  const { cluster } = settings;
  return {
    version,
    node: cluster && { name: cluster.node, role: cluster.role },
    url,
    port,
    // An IPv6 address stands in brackets in a URL.
    adminUrl: `http://${adminHost.includes(':') ? `[${adminHost}]` : adminHost}:${adminPort}`,
    adminPort,
    adminTokenPlace: tokenPlace(settings, dataDir),
    dataDir,
    fundingText: fundingText(settings),
    crowdText: crowdText(settings),
    pid: process.pid,
    ms,
    devAccounts,
    market: runsPublicApi(settings) ? exampleMarket(services) : undefined,
  };
}
