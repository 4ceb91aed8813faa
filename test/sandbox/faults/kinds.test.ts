import t from 'tap';
import { FAULT_KINDS } from '../../../sandbox/faults/kinds.ts';
import { FaultRecord } from '../../../sandbox/faults/record.ts';

t.test('kinds have names of their own', async (t) => {
  const names = FAULT_KINDS.map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  for (const name of names) t.match(name, /^[a-z]+(_[a-z]+)*$/);
});

t.test('no parameter of a kind hides a key of every fault', async (t) => {
  const shared = Object.keys(FaultRecord.properties);
  for (const { name, parameters } of FAULT_KINDS) {
    const hidden = Object.keys(parameters).filter((key) => shared.includes(key));
    t.strictSame(hidden, [], name);
  }
});
