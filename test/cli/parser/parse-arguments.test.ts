import t from 'tap';
import { COMMANDS } from '../../../cli/options/commands.ts';
import { parseArguments, UsageError } from '../../../cli/parser/parse-arguments.ts';
import { closestWord } from '../../../http/codec/words.ts';

function parse(line: string): ReturnType<typeof parseArguments<typeof COMMANDS>> {
  return parseArguments(line === '' ? [] : line.split(' '), COMMANDS);
}

function faultsOf(line: string): readonly string[] {
  try {
    parse(line);
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.faults;
    throw error;
  }
}

type Line = readonly [line: string, command: string, flags: Record<string, string>];

const LINES: readonly Line[] = [
  ['', 'serve', {}],
  ['serve', 'serve', {}],
  ['--json', 'serve', { '--json': 'true' }],
  ['serve --port 0 --json', 'serve', { '--port': '0', '--json': 'true' }],
  ['serve --port=0', 'serve', { '--port': '0' }],
  ['serve --data=a=b', 'serve', { '--data': 'a=b' }],
  ['serve --json=false', 'serve', { '--json': 'false' }],
  ['serve --data -', 'serve', { '--data': '-' }],
  ['config print --port 1', 'config print', { '--port': '1' }],
  ['place-order --token 1', 'place-order', { '--token': '1' }],
  ['-h', 'serve', { '--help': 'true' }],
];

t.test(
  'the command comes first, then its flags, with values as --flag VALUE or --flag=VALUE',
  async (t) => {
    for (const [line, name, flags] of LINES) {
      const { command, flags: parsed } = parse(line);
      t.equal(command.name, name, line);
      t.strictSame(Object.fromEntries(parsed), flags, line);
    }
  },
);

const WRONG_LINES: readonly (readonly [line: string, ...faults: RegExp[]])[] = [
  ['sevre', /no command "sevre"; the nearest is "serve", and the commands are serve, config print/],
  ['config', /no command "config"; the nearest is "config print"/],
  ['config prnt --port 1', /no command "config prnt"; the nearest is "config print"/],
  ['export FILE', /no command "export FILE"/],
  ['--prot 1', /no flag --prot; the nearest is --port$/],
  ['serve --prot=1', /no flag --prot; the nearest is --port$/],
  ['serve --token 1', /no flag --token; the nearest is --/],
  ['serve --rate-limit off', /no flag --rate-limit;/],
  ['serve --port', /--port needs a value: a whole number from 0 to 65535/],
  ['serve --port --json', /--port needs a value/],
  ['serve --port 1 --port 2', /--port is given twice/],
  ['serve --json 1', /"1" is not expected here/],
  ['serve --port 1 config print', /"config" is not expected here/, /"print" is not expected here/],
  ['serve -port 1', /no flag -port; the nearest is --port$/],
  ['serve --port --jsn', /--port needs a value/, /no flag --jsn; the nearest is --json/],
  ['--prot 1 --jsn', /no flag --prot/, /no flag --jsn; the nearest is --json/],
];

t.test('every word without a meaning is a fault that names the nearest known word', async (t) => {
  for (const [line, ...patterns] of WRONG_LINES) {
    const faults = faultsOf(line);
    t.equal(faults.length, patterns.length, `${line}: ${faults.join('; ')}`);
    for (const [index, pattern] of patterns.entries()) t.match(faults[index], pattern, line);
  }
});

t.test('the nearest word is the one with the fewest changed letters', async (t) => {
  const known = ['--port', '--host', '--data', '--admin-port'];
  for (const [word, nearest] of [
    ['--prot', '--port'],
    ['--pot', '--port'],
    ['--adminport', '--admin-port'],
    ['--dta', '--data'],
    ['--data', '--data'],
    ['--admin', '--admin-port'],
  ] as const) {
    t.equal(closestWord(word, known), nearest, word);
  }
  t.equal(closestWord('x', []), '');
  t.ok(known.includes(closestWord(`--port${'x'.repeat(1_000_000)}`, known)), 'at once');
});
