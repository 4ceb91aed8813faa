import t from 'tap';
import { type Command, type EngineEvent, lots, micros } from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';

const ANN = `0x${'a1'.repeat(20)}`;
const CONDITION = `0x${'c1'.repeat(32)}`;
const TERMS = {
  kind: 'create_market',
  conditionId: CONDITION,
  tokenIds: ['1', '2'],
  tickTicks: 100,
  minimumLots: 1,
  minimumBudgetMicros: 1,
  negRisk: false,
  eventId: '',
  selfTrade: 'cancel_maker',
} as unknown as Command; // its numbers are whole and need no brand here

const OPENED: Command = {
  kind: 'open_account',
  address: ANN,
  owner: ANN,
  wallet: 'eoa',
  paperMicros: micros(1_000_000),
};

function split(key: string, more: object = {}): Command {
  const set = { account: ANN, owner: ANN, conditionId: CONDITION, lots: lots(1) };
  return { kind: 'split', ...set, key, ...more };
}

for (const [name, make] of ENGINES) {
  t.test(`keys leave memory for the index and are then looked up there: ${name}`, async (t) => {
    const engine = make({ rememberedMoneyKeys: 2 });
    let seq = 0;
    const apply = (command: Command): EngineEvent[] => {
      seq += 1;
      return engine.apply(seq, seq, engine.inputOf(command));
    };
    const rows: [command: Command, expected: object[]][] = [
      [TERMS, [{ kind: 'market_created' }]],
      [OPENED, [{ kind: 'account_opened' }]],
      [split('a'), [{ kind: 'sets_moved' }]],
      [split('b'), [{ kind: 'sets_moved' }]],
      [split('c'), [{ kind: 'sets_moved' }, { kind: 'money_key_indexed', record: { key: 'a' } }]],
      [split('d'), [{ kind: 'sets_moved' }, { kind: 'money_key_indexed', record: { key: 'b' } }]],
      [split('a'), [{ kind: 'known', command: 'split', amountMicros: -10_000, yesLots: 1 }]],
      [split('e'), [{ kind: 'sets_moved' }, { kind: 'money_key_indexed', record: { key: 'c' } }]],
    ];
    const indexed: object[] = [];
    for (const [command, expected] of rows) {
      const events = apply(command);
      t.match(events, expected, `step ${seq}`);
      t.equal(events.length, expected.length, `step ${seq}`);
      for (const event of events) if ('record' in event) indexed.push(event.record);
    }
    const unchecked = { kind: 'rejected', code: 'money_key_unchecked', limit: 5 };
    t.match(apply(split('a')), [{ ...unchecked, actual: 0 }], 'a forgotten key is not used again');
    t.match(apply(split('f', { keyCheckedSeq: 4 })), [{ ...unchecked, actual: 4 }]);
    const found = { keyCheckedSeq: seq, keyRecord: indexed[0] };
    t.match(apply(split('a', found)), [{ kind: 'known', amountMicros: -10_000 }]);
    t.match(apply(split('a', { ...found, lots: 2 })), [{ code: 'money_key_reused' }]);
    t.match(apply(split('f', { keyCheckedSeq: 5 })), [{ kind: 'sets_moved' }, {}]);
    t.equal([...engine.state().idempotencyKeys].length, 4, 'memory holds twice the bound');
    engine.validate();
  });
}
