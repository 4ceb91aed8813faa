/** Gathers what the banner and the ready line say of a running exchange. */
import { join, resolve } from 'node:path';
import { micros } from '../../../engine/model/index.ts';
import { microsText } from '../../codec/index.ts';
import type { Running } from '../../index.ts';
import type { Services } from '../../services/index.ts';
import type { Settings } from '../../settings/index.ts';
import { EXAMPLE_ORDER, type ExampleMarket, type Ready } from './banner.ts';
import type { DevAccount } from './dev-accounts.ts';

/** The first market that takes the example order. */
function exampleMarket({ registry, exchange }: Services): ExampleMarket | undefined {
  for (const { conditionId, tokenIds, tickTicks, minimumLots } of registry.markets()) {
    const isFit = EXAMPLE_ORDER.priceTicks % tickTicks === 0 && EXAMPLE_ORDER.lots >= minimumLots;
    if (!isFit) continue;
    const question = exchange.catalog.look.marketByCondition(conditionId)?.question ?? conditionId;
    return { question, tokenId: tokenIds[0] };
  }
  return undefined;
}

function fundingText({ funding, paperMicros }: Settings): string {
  return funding === 'paper'
    ? `paper: each new account starts with ${microsText(micros(paperMicros))} of play money`
    : 'ledger: accounts have what is deposited through the operator';
}

function tokenPlace({ adminToken, temporary }: Settings, dataDir: string): string {
  if (adminToken !== undefined) return 'the one that was given';
  return temporary ? 'kept in memory; give --admin-token to know it' : join(dataDir, 'admin.token');
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
  return {
    version,
    url,
    port,
    // An IPv6 address stands in brackets in a URL.
    adminUrl: `http://${adminHost.includes(':') ? `[${adminHost}]` : adminHost}:${adminPort}`,
    adminPort,
    adminTokenPlace: tokenPlace(settings, dataDir),
    dataDir,
    fundingText: fundingText(settings),
    pid: process.pid,
    ms,
    devAccounts,
    market: exampleMarket(services),
  };
}
