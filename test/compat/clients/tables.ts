/** The published clients that have checks, and their section of COMPATIBILITY.md. */
import packageJson from '../../../package.json' with { type: 'json' };
import { CCXT_CHECKS } from './ccxt-checks.ts';
import { abilityTable, type CheckedClient } from './checks.ts';
import { FIRST_VERSION_CHECKS } from './first-version-checks.ts';
import { REAL_TIME_CHECKS } from './real-time-checks.ts';
import { UNIFIED_CHECKS } from './unified-checks.ts';

const versions = packageJson.devDependencies;

export const FIRST_VERSION: CheckedClient = {
  name: '@polymarket/clob-client',
  version: versions['@polymarket/clob-client'],
  setup: 'The first version (v1) of `@polymarket/clob-client-v2`.',
  abilities: FIRST_VERSION_CHECKS,
};

export const REAL_TIME: CheckedClient = {
  name: '@polymarket/real-time-data-client',
  version: versions['@polymarket/real-time-data-client'],
  setup: 'The table names the topics and types of its README.',
  abilities: REAL_TIME_CHECKS,
};

export const UNIFIED: CheckedClient = {
  name: '@polymarket/client',
  version: versions['@polymarket/client'],
  setup: 'The official SDK, with a key of its own.',
  abilities: UNIFIED_CHECKS,
};

export const CCXT: CheckedClient = {
  name: 'ccxt',
  version: versions.ccxt,
  setup: 'Its exchange `ccxt.prediction.polymarket`.',
  abilities: CCXT_CHECKS,
};

const CLIENTS: readonly CheckedClient[] = [UNIFIED, FIRST_VERSION, REAL_TIME, CCXT];

function clientText(client: CheckedClient): string {
  const { name, version, setup, abilities } = client;
  return `### \`${name}\` ${version}\n\n${setup}\n\n${abilityTable(abilities)}`;
}

const INTRODUCTION = `## What other published clients can do

These clients are driven as they are published, against a real exchange. Each name in a table is
a check in \`test/compat/clients/\`, also of what a client can't do. \`npm test\` prints the same
tables after its results. [docs/clients.md](docs/clients.md) has the settings of each.`;

/** The section of COMPATIBILITY.md. */
export function otherClientsText(): string {
  return [INTRODUCTION, ...CLIENTS.map(clientText)].join('\n\n');
}
