/** What two nodes check of each other before they talk. */
import t from 'tap';
import { checkTerms, proofOf, type ReplicaHello } from '../../../cluster/feed/handshake.ts';
import { LOG_START } from '../../../cluster/log/index.ts';

const HELLO: ReplicaHello = {
  format: 1,
  logId: 'a log',
  node: 'gateway-1',
  role: 'gateway',
  ...{ program: '0', rules: 1, position: LOG_START, seq: 0, checksum: 0 },
};

// The proof once had the version of the feed in it, so a node of another version was told that it
// had another master secret.
t.test('a proof is the same in all versions of the feed', (t) => {
  const nonces = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
  const proof = proofOf(Buffer.alloc(32, 7), 'core', nonces, Buffer.from('said'));
  t.equal(
    proof.toString('hex'),
    '9c15e1da80df235fd1ba32224064cc378e5f8aa13241b2f177987e2c789e8c23',
  );
  t.end();
});

t.test('nodes of different versions or logs refuse each other with a sentence', (t) => {
  const core = { format: 1, logId: 'a log', node: 'core-1' };
  checkTerms(HELLO, core);
  const newer =
    /the core core-1 and the gateway gateway-1 speak versions 2 and 1 of the feed: start/;
  t.throws(() => checkTerms(HELLO, { ...core, format: 2 }), {
    code: 'feed_refused',
    message: newer,
  });
  const foreign = /follow different logs, another and a log: check --etcd/;
  t.throws(() => checkTerms(HELLO, { ...core, logId: 'another' }), { message: foreign });
  t.end();
});
