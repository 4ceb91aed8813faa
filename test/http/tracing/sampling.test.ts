import t from 'tap';
import { isSampled } from '../../../http/tracing/tracing.ts';

const IDS = Array.from({ length: 20_000 }, (_, count) => `5f0c1a2b-${count.toString(36)}`);

t.test('the share of ids that are sampled is the given one', async (t) => {
  for (const share of [0.01, 0.1, 0.5]) {
    const count = IDS.filter((id) => isSampled(id, share)).length;
    const deviation = Math.sqrt(IDS.length * share * (1 - share));
    t.ok(Math.abs(count - IDS.length * share) < 5 * deviation, `${count} of ${share}`);
  }
  t.ok(IDS.every((id) => isSampled(id, 1)));
});

t.test('a smaller share is part of a larger one', async (t) => {
  const few = IDS.filter((id) => isSampled(id, 0.05));
  t.ok(few.length > 0 && few.every((id) => isSampled(id, 0.1)));
});
