import t from 'tap';
import { restoreText } from '../../../cli/tools/report-texts.ts';

// The command lacked --strict, so it opened accounts with public keys on a venue.
t.test('a start is printed whole only for play money', async (t) => {
  for (const [funding, start] of [
    ['paper', /Start it with: \.\/outcome-exchange serve --data /],
    ['ledger', /Start it with all settings of the original, and --data /],
  ] as const) {
    const manifest = { ...{ madeAt: '2026-11-28', lastSeq: 7, funding } };
    const report = { ...{ dataDir: '/data', lastSeq: 7, lastTimeMs: 0 }, manifest };
    // Safe: it reads no other fields.
    t.match(restoreText(report as unknown as Parameters<typeof restoreText>[0]), start);
  }
});
