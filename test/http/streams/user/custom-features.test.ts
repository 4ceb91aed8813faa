// What public venues do not have reaches the clients that ask for it.
import t from 'tap';
import { CONDITION } from '../../durable-commands.ts';
import type { Message } from '../stream-client.ts';
import { OTHER_CONDITION, STREAM_ID, startUserBench } from './user-bench.ts';

const ALICE = { apikey: 'alice', secret: 'alice', passphrase: 'alice' };

/** Kind and sequence of each; of what was skipped, the first too. */
function shortOf(messages: readonly Message[]): string[] {
  return messages.map(({ event_type, type, sequence, first_sequence }) => {
    const kind = event_type === 'order' ? type : event_type;
    return `${kind} ${first_sequence === undefined ? '' : `${first_sequence}-`}${sequence}`;
  });
}

// History: snapshots, balances and `skipped` went to all clients, and strict ones broke at them.
const OWN = { custom_feature_enabled: true };
const FIRST = { operation: 'resume', stream_id: STREAM_ID, sequence: 0 };
const everything = ['PLACEMENT 1', 'balance 2'];
const wishes: readonly (readonly [string, object, readonly string[]])[] = [
  ['by default, orders alone', {}, ['PLACEMENT 1']],
  [
    'also with the dump that clients of public venues ask for',
    { initial_dump: true },
    ['PLACEMENT 1'],
  ],
  ['also with a filter', { markets: [CONDITION] }, ['PLACEMENT 1']],
  ['with custom features, all', OWN, ['snapshot 0', ...everything, 'heartbeat 2']],
  [
    'with custom features and a filter, all and what was skipped',
    { ...OWN, markets: [OTHER_CONDITION] },
    ['snapshot 0', 'skipped 1-1', 'balance 2', 'heartbeat 2'],
  ],
  ['a resume implies them', FIRST, ['resumed 0', ...everything, 'heartbeat 2']],
];
for (const [name, wish, told] of wishes) {
  t.test(`what public venues do not have is for clients that ask for it: ${name}`, async (t) => {
    const bench = await startUserBench(t);
    const client = await bench.connect();
    client.send({ auth: ALICE, ...wish });
    await client.settled();
    await bench.do(bench.order('alice'));
    await client.settled();
    bench.pass(20_000);
    await client.settled();
    t.strictSame(shortOf(client.messages), told);
  });
}
