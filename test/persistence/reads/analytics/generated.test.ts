// A small run of the generator of the analytics benchmark.

import t from 'tap';
import { AnalyticsGenerator } from '../../../../bench/reads/analytics-generator.ts';
import { type Command, Engine, type EngineEvent, isChange } from '../../../../engine/index.ts';

const SIZE = { seed: 5, fills: 1_500, accounts: 120, markets: 50 };
const MARKETS = Array.from({ length: SIZE.markets }, (_, number) => ({
  conditionId: `0x${`${number}`.padStart(64, '0')}`,
  tokenIds: [`${2 * number + 1}`, `${2 * number + 2}`] as const,
  eventId: `${number}`,
}));

function generate() {
  const engine = new Engine();
  const commands: Command[] = [];
  const events: EngineEvent[] = [];
  const progress: number[] = [];
  let refused = 0;
  const generator = new AnalyticsGenerator(SIZE, MARKETS, (part, command) => {
    const applied = engine.apply(commands.length + 1, commands.length + 1, engine.inputOf(command));
    if (applied.some(isChange)) commands.push(command);
    else refused += 1;
    events.push(...applied);
    progress.push(part);
    return applied;
  });
  generator.run();
  return { engine, commands, events, progress, refused, fills: generator.fills };
}

const made = generate();

t.test(
  'the generator makes the requested number of fills, and moves tokens in every way',
  async (t) => {
    const { engine, commands, events, refused, fills } = made;
    engine.validate();
    t.equal(events.filter(({ kind }) => kind === 'fill').length, fills);
    t.ok(fills >= SIZE.fills && fills < SIZE.fills + 100, `${fills}`);
    t.ok(refused < commands.length / 10, `${refused} commands were refused`);
    const wanted = ['place_order', 'split', 'resolve_market'];
    for (const kind of wanted)
      t.ok(
        commands.some((command) => command.kind === kind),
        kind,
      );
    const matches = new Set(events.flatMap((event) => (event.kind === 'fill' ? event.match : [])));
    t.same([...matches].sort(), ['merge', 'mint', 'transfer']);
  },
);

t.test('a few accounts and markets do most of the trading', async (t) => {
  const fills = made.events.filter((event) => event.kind === 'fill');
  const most = (names: readonly string[]): number => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return Math.max(...counts.values()) / names.length;
  };
  t.ok(most(fills.map(({ conditionId }) => conditionId)) > 5 / SIZE.markets);
  t.ok(most(fills.map(({ makerAccount }) => makerAccount)) > 5 / SIZE.accounts);
});

t.test('progress goes from 0 to 1, and the same size makes the same commands', async (t) => {
  const { progress, commands } = made;
  t.equal(progress[0], 0);
  t.ok((progress.at(-1) ?? 0) > 0.99);
  t.ok(progress.every((part, index) => part >= (progress[index - 1] ?? 0) && part <= 1));
  t.same(generate().commands, commands);
});
