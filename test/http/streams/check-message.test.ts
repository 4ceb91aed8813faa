import t from 'tap';
import { checkMessage } from './check-message.ts';

const HEARTBEAT = {
  event_type: 'heartbeat',
  market: `0x${'ab'.repeat(32)}`,
  timestamp: '1780449126930',
  sequence: 6,
  stream_id: 'one',
  server_ts_ms: 1780449126930,
};

t.test('a message that is not as its schema says is refused', async (t) => {
  const { sequence: _, ...unnumbered } = HEARTBEAT;
  const check = (message: object, address = '/ws/market') => {
    checkMessage(address, JSON.stringify(message));
  };
  t.doesNotThrow(() => check(HEARTBEAT));
  t.throws(() => check(unnumbered), /must have required properties sequence/);
  t.throws(() => check({ ...HEARTBEAT, more: 1 }), /more is not in the schema/);
  t.throws(() => check({ ...HEARTBEAT, timestamp: 1 }), /timestamp must be string/);
  t.throws(() => check({ ...HEARTBEAT, event_type: 'pulse' }), /is no message of a stream/);
  t.throws(() => check(HEARTBEAT, '/ws/user'), /market is not in the schema/);
});
