/** Commands on their way from a replica to the core, and the answers: the same at both ends. */
import { strict as assert } from 'node:assert';
import t from 'tap';
import { SubmitDesk } from '../../../cluster/replica/index.ts';
import {
  answersIn,
  encodeApplied,
  encodeHeard,
  encodeSubmit,
  submitsIn,
} from '../../../cluster/replica/submits.ts';
import { type Command, Engine, type EngineEvent, type Input } from '../../../engine/index.ts';
import { BatchBuilder } from '../../../persistence/journal/batch.ts';
import { PackedForm } from '../../../persistence/journal/command-form.ts';
import { PayloadReader } from '../../../persistence/rows/payload.ts';
import { times } from '../../long-set.ts';
import {
  ALICE,
  createMarket,
  openAccount,
  order,
  randomStream,
  WORLD,
} from '../../persistence/store-fixture.ts';

/** How many commands the replica is behind the core. */
const LAGS = [0, 1, 7, 60];

function frameOf(replica: Engine, command: Command, evidence: unknown): Buffer {
  const input = replica.inputOf(command);
  return Buffer.concat([encodeHeard(5), encodeSubmit({ id: 9, command, evidence, input })]);
}

function applyAll(engine: Engine, commands: readonly Command[]): Engine {
  for (const [index, command] of commands.entries())
    engine.apply(index + 1, 1, engine.inputOf(command));
  return engine;
}

t.test('the core takes what a replica behind it has sent', (t) => {
  const reader = new PayloadReader();
  for (let seed = 1; seed <= times(4, 40); seed += 1) {
    const { durable } = randomStream(seed, 800);
    const lag = LAGS[seed % LAGS.length]!;
    const [core, replica] = [new Engine(), new Engine()];
    let packed = 0;
    for (const [index, applied] of durable.entries()) {
      const { seq, timeMs, command } = applied;
      const evidence = seq % 3 === 0 ? undefined : [`${seq}`, `0x${'ab'.repeat(65)}`, null];
      const [submitted] = submitsIn(frameOf(replica, command, evidence));
      const { id, form } = submitted!;
      assert.equal(id, 9);
      assert.ok(form.isKnown(core));
      const input = form.input(core);
      // The packed form leaves out the names that only a refusal quotes.
      const numbers = (one: Input) => ({ ...one, names: undefined });
      assert.deepEqual(numbers(input), numbers(core.inputOf(command)), `command ${seq}`);
      const builder = new BatchBuilder(seq);
      const added = form.addTo(builder, applied, input, core.names);
      assert.deepEqual(added.command, command);
      if (added.apiKey !== undefined) {
        assert.equal(added.apiKey, command.kind === 'place_order' ? command.apiKey : '');
      }
      const { kinds, payloads, orderIds } = builder.build();
      const named = new BatchBuilder(seq);
      named.add(applied, evidence, core.inputOf(command));
      assert.deepEqual(orderIds, named.build().orderIds);
      assert.deepEqual(reader.evidence(kinds[0]!, payloads[0]!), evidence);
      if (typeof payloads[0] !== 'string') packed += 1;
      core.apply(seq, timeMs, core.inputOf(command));
      const behind = durable[index - lag];
      if (behind) replica.apply(behind.seq, behind.timeMs, replica.inputOf(behind.command));
    }
    t.ok(packed > 100, `${packed} commands are packed with a lag of ${lag}`);
  }
  t.end();
});

t.test('a builder that the replica does not know yet travels as a name', (t) => {
  const builder = `0x${'bb'.repeat(32)}`;
  const command = order(1, { builder });
  const formOf = (replica: Engine) => {
    const [submitted] = submitsIn(frameOf(replica, command, ['evidence']));
    return submitted?.form instanceof PackedForm ? 'packed' : 'JSON';
  };
  const terms = { account: ALICE, shareBps: 1, takerRateBps: 1, makerRateBps: 1 };
  t.equal(formOf(applyAll(new Engine(), WORLD)), 'JSON');
  t.equal(
    formOf(applyAll(new Engine(), [...WORLD, { kind: 'set_builder', builder, ...terms }])),
    'packed',
  );
  t.end();
});

t.test('a number that the core does not know is refused, and nothing is applied', (t) => {
  const replica = applyAll(new Engine(), WORLD);
  const cores = [
    ['account', [createMarket]],
    ['token', [openAccount(ALICE)]],
  ] as const;
  for (const [what, commands] of cores) {
    const answers: Buffer[] = [];
    const desk = new SubmitDesk({
      engine: applyAll(new Engine(), commands),
      take: () => t.fail(`an unknown ${what}`) as never,
      isLate: () => false,
    });
    desk.take(frameOf(replica, order(1), undefined), {
      sentSeq: 0,
      take: () => true,
      answer: (bytes) => answers.push(Buffer.from(bytes)),
    });
    t.match(answersIn(Buffer.concat(answers)), [{ id: 9, code: 'feed_refused' }], what);
  }
  t.end();
});

const CHANGE: EngineEvent = { kind: 'standing_changed', owner: ALICE, standing: 'banned' };

t.test('an answer names what the replica will apply, and carries the rest', (t) => {
  const one = { seq: 8, timeMs: 5, events: [CHANGE] };
  const two = { seq: 9, timeMs: 6, events: [CHANGE] };
  const nothing = { seq: 8, timeMs: 5, events: [] };
  const cases = [
    ['a change after what was sent', one, 7, [[8]]],
    ['a change that was sent', one, 8, [[8, 5, [CHANGE]]]],
    ['no change', nothing, 7, [[8, 5, []]]],
    ['two steps', { ...one, steps: [one, two] }, 8, [[8, 5, [CHANGE]], [9]]],
  ] as const;
  const frame = cases.map(([, applied, sentSeq], id) => encodeApplied(id, applied, sentSeq));
  const answers = answersIn(Buffer.concat(frame));
  for (const [id, [what, , , steps]] of cases.entries()) {
    t.strictSame(answers[id], { id, steps }, what);
  }
  t.end();
});
