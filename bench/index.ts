/**
 * `npm run bench`: every benchmark, or those that are named: `npm run bench -- engine levels`. What
 * begins with `--` and follows is for those that take options:
 * `npm run bench -- analytics --full`.
 */
import { benchAnalytics } from './analytics-bench.ts';
import { benchCatalog } from './catalog-bench.ts';
import { benchEngine } from './engine-bench.ts';
import { benchLevels } from './levels-bench.ts';
import { benchOrders } from './orders-bench.ts';
import { benchOverload } from './overload-bench.ts';
import { printLine, printProgress } from './print.ts';
import { benchReads } from './reads-bench.ts';
import { benchRestart } from './restart-bench.ts';
import { benchStreams } from './streams-bench.ts';
import { type Bench, printSummary, type SummaryRow } from './summary.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  analytics: benchAnalytics,
  catalog: benchCatalog,
  engine: benchEngine,
  levels: benchLevels,
  orders: benchOrders,
  overload: benchOverload,
  reads: benchReads,
  restart: benchRestart,
  streams: benchStreams,
};

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith('--'));
const [names, options] =
  firstOption < 0 ? [words, []] : [words.slice(0, firstOption), words.slice(firstOption)];
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  const known = Object.keys(BENCHES).join(', ');
  printProgress(`no such benchmark: ${unknown.join(', ')}; there are ${known}`);
  process.exit(2);
}
if (options.length > 0 && !['analytics', 'catalog'].includes(names.join())) {
  printProgress(`${options[0]} is an option of one bench: npm run bench -- analytics --full`);
  process.exit(2);
}
const rows: SummaryRow[] = [];
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  rows.push(...((await BENCHES[name]?.(options)) ?? []));
  printLine();
}
printSummary(rows);
