/** `npm run bench`: every benchmark, or those that are named: `npm run bench -- engine levels`. */
import { benchEngine } from './engine-bench.ts';
import { benchLevels } from './levels-bench.ts';
import { benchOrders } from './orders-bench.ts';
import { benchOverload } from './overload-bench.ts';
import { printLine, printProgress } from './print.ts';
import { benchReads } from './reads-bench.ts';
import { benchRestart } from './restart-bench.ts';
import { benchStreams } from './streams-bench.ts';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  engine: benchEngine,
  levels: benchLevels,
  orders: benchOrders,
  overload: benchOverload,
  reads: benchReads,
  restart: benchRestart,
  streams: benchStreams,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  const known = Object.keys(BENCHES).join(', ');
  printProgress(`no such benchmark: ${unknown.join(', ')}; there are ${known}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  await BENCHES[name]?.();
  printLine();
}
