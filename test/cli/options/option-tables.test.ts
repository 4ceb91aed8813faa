import t from 'tap';
import { SERVE_OPTIONS, SERVE_SETTINGS } from '../../../cli/options/serve-options.ts';
import { HELP_COLUMNS, helpText, settingsText } from '../../../cli/parser/help.ts';
import { fallbackTextOf, printedValue } from '../../../cli/parser/option-table.ts';
import { resolveOptions } from '../../../cli/parser/resolve-options.ts';
import { ALL_COMMANDS } from '../../all-commands.ts';
import { OPTION_TABLES } from './tables.ts';

t.test('the flags, variables and keys of a table are unique', async (t) => {
  for (const table of OPTION_TABLES) {
    const rows = Object.values(table);
    for (const name of ['flag', 'variable', 'key'] as const) {
      const names = rows.map((row) => row[name]).filter((text) => text !== '');
      t.equal(new Set(names).size, names.length, name);
    }
  }
});

t.test('flag, variable and key spell one name', async (t) => {
  // Two are older than the rule; the variables of the others would have names of other programs.
  const exceptions = new Set(['--data', '--config', '--role', '--node']);
  for (const table of OPTION_TABLES) {
    for (const { flag, variable, key } of Object.values(table)) {
      if (exceptions.has(flag) || key === '') continue;
      const words = flag.slice(2).split('-');
      t.equal(variable, words.join('_').toUpperCase(), flag);
      t.equal(key.toLowerCase(), words.join(''), flag);
    }
  }
});

t.test('an option needs an option of its table', async (t) => {
  for (const table of OPTION_TABLES) {
    for (const { flag, needs } of Object.values(table)) {
      if (needs !== undefined) t.ok(needs in table, flag);
    }
  }
});

t.test('each default is a value of its own kind', async (t) => {
  for (const table of OPTION_TABLES) {
    for (const row of Object.values(table)) {
      if (row.fallback === undefined) continue;
      t.same(row.kind.parse(printedValue(row, row.fallback)), row.fallback, row.flag);
    }
  }
});

t.test('the help shows every flag, variable and default, within its columns', async (t) => {
  for (const command of ALL_COMMANDS) {
    const help = helpText(command, ALL_COMMANDS);
    const words = help.replace(/\s+/g, ' ');
    for (const row of Object.values(command.options)) {
      t.ok(words.includes(` ${row.flag} `), row.flag);
      t.ok(words.includes(row.meaning), row.meaning);
      if (row.variable !== '') t.ok(words.includes(`variable: ${row.variable}`), row.variable);
      const fallback = fallbackTextOf(row);
      const isPlainSwitch = row.kind.placeholder === '' && row.variable === '';
      if (fallback !== '' && !isPlainSwitch) t.ok(words.includes(`default: ${fallback}`), row.flag);
    }
    for (const line of help.split('\n')) t.ok(line.length <= HELP_COLUMNS, line);
  }
});

t.test('the help of the default command lists all commands', async (t) => {
  const help = helpText(ALL_COMMANDS[0], ALL_COMMANDS);
  for (const { name, summary } of ALL_COMMANDS) {
    t.match(help, `  ${name} `);
    t.ok(help.replace(/\s+/g, ' ').includes(summary), name);
  }
  t.equal(
    ALL_COMMANDS.map(({ name }) => name).join(),
    'serve,config print,ready,place-order,sign-order,mcp,import,verify,backup,restore,' +
      'rotate-backups,inspect,compact,replay,arena,sync',
  );
});

t.test('config print shows each value and its origin, but no secret', async (t) => {
  const flags = new Map([
    ['--admin-token', '0123456789abcdef'],
    ['--paper-amount', '2.50'],
  ]);
  const resolved = resolveOptions(SERVE_OPTIONS, { flags, environment: { PORT: '9000' } });
  const lines = settingsText(SERVE_SETTINGS, resolved).trimEnd().split('\n');
  const shown = new Map(
    lines.map((line) => {
      const [flag = '', value = '', origin = ''] = line.split(/ {2,}/);
      return [flag, [value, origin]];
    }),
  );
  t.same(
    [...shown.keys()],
    Object.values(SERVE_SETTINGS).map(({ flag }) => flag),
  );
  t.same(shown.get('--port'), ['9000', 'variable PORT']);
  t.same(shown.get('--paper-amount'), ['2.5', 'flag --paper-amount']);
  t.same(shown.get('--chain-ids'), ['137,80002', 'default']);
  t.same(shown.get('--catalog'), ['the built-in one; none with ledger funding', 'default']);
  t.same(shown.get('--admin-token'), ['(set, not shown)', 'flag --admin-token']);
  t.notMatch(lines.join('\n'), '0123456789abcdef');
});
