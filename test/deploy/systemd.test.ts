/** deploy/systemd agrees with the program; `npm run test:deploy -- systemd` tries it. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COMMANDS } from '../../cli/options/commands.ts';
import { SERVE_OPTIONS } from '../../cli/options/serve-options.ts';
import { ROTATION_OPTIONS } from '../../cli/options/tool-options.ts';
import { parseArguments } from '../../cli/parser/parse-arguments.ts';
import { parseSettingsFile, resolveOptions } from '../../cli/parser/resolve-options.ts';
import { PROJECT } from './system.ts';

const FOLDER = join(PROJECT, 'deploy/systemd');
const PROGRAM = '/opt/outcome-exchange/outcome-exchange';

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

function valuesOf(unit: string, name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** What the unit starts, as the program reads it. */
function startOf(unit: string) {
  const [start = ''] = valuesOf(unit, 'ExecStart');
  const [program, ...words] = start.split(' ');
  assert.equal(program, PROGRAM);
  const variables = valuesOf(unit, 'Environment').map((text) => text.split('=', 2));
  return {
    ...parseArguments(words, COMMANDS),
    environment: Object.fromEntries(variables) as Record<string, string>,
  };
} // Safe: each is a name and a value.

t.test('the exchange is started with options and settings that it knows', async (t) => {
  const { command, flags, environment } = startOf(read('outcome-exchange.service'));
  t.equal(command.name, 'serve');
  const file = parseSettingsFile('settings.json', read('settings.json'));
  const { values } = resolveOptions(SERVE_OPTIONS, { flags, environment, file });
  t.match(values, { strict: true, dataDir: '%S/outcome-exchange', host: '127.0.0.1' });
  const variables = Object.values(SERVE_OPTIONS).map(({ variable }) => variable);
  const named = [...Object.keys(environment), 'OPERATORS'];
  for (const name of named) t.ok(variables.includes(name), name);
  t.strictSame(valuesOf(read('operators.conf'), 'UnsetEnvironment'), ['ADMIN_TOKEN_FILE']);
});

t.test('backups are of the same folder, by the same user', async (t) => {
  const [unit, backup] = [
    read('outcome-exchange.service'),
    read('outcome-exchange-backup.service'),
  ];
  const { command, flags, operands, environment } = startOf(backup);
  t.equal(command.name, 'rotate-backups');
  t.strictSame(operands, valuesOf(backup, 'ReadWritePaths'));
  const { values } = resolveOptions(ROTATION_OPTIONS, { flags, environment });
  t.equal(values.dataDir, startOf(unit).environment.DATA_DIR);
  for (const name of ['User', 'Group', 'StateDirectory', 'StateDirectoryMode', 'UMask']) {
    t.strictSame(valuesOf(backup, name), valuesOf(unit, name), name);
  }
});

t.test('the drop-in and the settings of a node are known to the program', async (t) => {
  const file = parseSettingsFile('cluster.json', read('cluster.json'));
  const environment = Object.fromEntries(
    valuesOf(read('cluster.conf'), 'Environment').map((text) => text.split('=', 2)),
  );
  const { values } = resolveOptions(SERVE_OPTIONS, { flags: new Map(), environment, file });
  t.match(values, { role: 'standby', node: 'core-1', masterSecretFile: '%d/master-secret' });
  t.equal(values.etcd?.length, 3);
  t.strictSame(valuesOf(read('cluster.conf'), 'RestartForceExitStatus'), ['3'], 'deposed');
});
