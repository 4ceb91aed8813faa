/** The walk of fair values. */
import t from 'tap';
import { type CrowdModel, DEFAULT_CROWD_MODEL } from '../../../http/settings/crowd.ts';
import { randomFor, traitsOfCharacter } from '../../../sandbox/crowd/characters.ts';
import { type Member, ValueGroup } from '../../../sandbox/crowd/fair-values.ts';

const STILL: CrowdModel = { ...DEFAULT_CROWD_MODEL, volatility: 0, newsPerHour: 0 };

function membersOf(...probabilities: number[]): Member[] {
  return probabilities.map((probability, index) => ({
    conditionId: `market ${index}`,
    traits: traitsOfCharacter('steady'),
    probability,
  }));
}

function groupOf(members: readonly Member[], model = DEFAULT_CROWD_MODEL, seed = 1): ValueGroup {
  return new ValueGroup(members, model, randomFor(seed, 'values'));
}

function valuesOf(group: ValueGroup): number[] {
  return [...group.conditionIds].map((conditionId) => group.probability(conditionId));
}

t.test('a group begins with the values that it is given', async (t) => {
  const round = (values: number[]) => values.map((value) => value.toFixed(6));
  t.same(round(valuesOf(groupOf(membersOf(0.3)))), ['0.300000']);
  t.same(round(valuesOf(groupOf(membersOf(0.5, 0.3, 0.2)))), ['0.500000', '0.300000', '0.200000']);
});

t.test('the values of an event add up to 1 at all times, and stay inside 0 and 1', async (t) => {
  const wild = { ...DEFAULT_CROWD_MODEL, volatility: 2, newsPerHour: 3_600, newsSize: 5 };
  const group = groupOf(membersOf(0.9, 0.05, 0.03, 0.02), wild);
  for (let minute = 0; minute < 2_000; minute += 1) {
    group.advance(1);
    const values = valuesOf(group);
    const sum = values.reduce((all, value) => all + value, 0);
    if (Math.abs(sum - 1) > 1e-9) t.equal(sum, 1, `minute ${minute}`);
    if (!values.every((value) => value > 0 && value < 1)) t.fail(values.join());
  }
});

t.test('without volatility and news nothing moves; news jump, and are told', async (t) => {
  const still = groupOf(membersOf(0.3), STILL);
  t.equal(still.advance(1_000), undefined);
  t.equal(still.probability('market 0').toFixed(9), '0.300000000');
  const group = groupOf(membersOf(0.3), { ...STILL, newsPerHour: 3_600, newsSize: 1 });
  t.equal(group.advance(10), 'market 0', 'that there is none in 600 expected is impossible');
  t.not(group.probability('market 0').toFixed(9), '0.300000000');
});

t.test('the same seed walks the same way, another seed another way', async (t) => {
  const walk = (seed: number): string => {
    const group = groupOf(membersOf(0.6, 0.4), DEFAULT_CROWD_MODEL, seed);
    const news = Array.from({ length: 100 }, () => group.advance(0.1));
    return JSON.stringify([news, valuesOf(group)]);
  };
  t.equal(walk(1), walk(1));
  t.not(walk(1), walk(2));
});

t.test('a value is pulled to its usual level', async (t) => {
  // With this pull a walk of 0.5 a minute has a deviation of 0.5 in log-odds for good; without it
  // it would be 0.5 * sqrt(3000) = 27.
  const model = { ...DEFAULT_CROWD_MODEL, volatility: 0.5, newsPerHour: 0, pullMinutes: 2 };
  const group = groupOf(membersOf(0.5), model);
  let squares = 0;
  for (let minute = 0; minute < 3_000; minute += 1) {
    group.advance(1);
    const value = group.probability('market 0');
    squares += Math.log(value / (1 - value)) ** 2;
  }
  const deviation = Math.sqrt(squares / 3_000);
  t.ok(deviation > 0.4 && deviation < 0.9, `${deviation}`);
});
