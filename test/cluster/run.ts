/**
 * `npm run test:cluster -- [FAULT...] [--rounds N] [--seed N] [--folder DIR]`: each fault of a
 * cluster on a fresh one, then takeovers in a loop, with a table at the end. README.md explains it.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textKind, wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option, optional } from '../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../cli/parser/program-options.ts';
import { ETCD_MISSING, etcdVersion } from '../../deploy/cluster/etcd-nodes.ts';
import { TestNetwork } from './network.ts';
import { FAULTS, type FaultResult, runFault } from './run-fault.ts';
import { quantile, runTakeovers } from './takeovers.ts';

const TAKEOVERS = 'takeovers';
const SEEDS = 100_000;
const FAILED = 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Row {
  readonly name: string;
  readonly isGood: boolean;
  readonly seconds: number;
  readonly text: string;
}

function resultText(result: Omit<FaultResult, 'seen'>): string {
  const { acknowledged, comments, ownReads, refused, cut, longestMs, nodes, seq } = result;
  const { streamMessages, resumed } = result;
  return (
    `${acknowledged} acknowledged and ${comments} comments, none lost or doubled; ` +
    `${ownReads} read back at once; ${refused} tries answered 425, ` +
    `${cut} cut; longest wait ${longestMs} ms; ${streamMessages} stream messages without a gap ` +
    `(${resumed} resumed); ${nodes} nodes equal at ${seq}`
  );
}

async function runNamed(
  name: string,
  folder: string,
  seed: number,
  rounds: number,
): Promise<string> {
  const fault = FAULTS.find((one) => one.name === name);
  if (fault !== undefined) {
    const result = await runFault(fault, join(folder, name), seed);
    return `${fault.what}. ${result.seen}. ${resultText(result)}`;
  }
  const figures = await runTakeovers({
    folder: join(folder, name),
    rounds,
    seed,
    onRound: (round, ms) => say(`   takeover ${round}: ${ms} ms`),
  });
  const { waitsMs } = figures;
  const [p50, p99] = [quantile(waitsMs, 0.5), quantile(waitsMs, 0.99)];
  return (
    `${rounds} takeovers, from kill to the next acknowledgement: p50 ${p50} ms, ` +
    `p99 ${p99} ms, longest ${waitsMs.at(-1)} ms. ${resultText(figures)}`
  );
}

const names = [...FAULTS.map(({ name }) => name), TAKEOVERS];
const { values, operands } = readProgramOptions({
  name: 'test:cluster',
  program: 'npm run test:cluster --',
  summary: `Test a cluster against faults, all or those that are named: ${names.join(', ')}`,
  operands: { usage: '[FAULT...]', least: 0, most: names.length },
  options: flagTable({
    seed: option(wholeKind(0, SEEDS), 1, 'Decides what clients draw'),
    rounds: option(wholeKind(1, 1_000), 100, 'Number of takeovers in the loop'),
    folder: optional(textKind('DIR'), 'Where folders are made; those of failures are kept', {
      fallbackText: 'a temporary folder',
    }),
  }),
});
const unknown = operands.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`there is no fault ${unknown.join(', ')}; --help lists them\n`);
  process.exit(2);
}
if (etcdVersion() === undefined) {
  process.stderr.write(`${ETCD_MISSING}\n`);
  process.exit(FAILED);
}
const noNetwork = TestNetwork.refusal();
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'exchange-cluster-'));
const rows: Row[] = [];
const skipped: string[] = [];
for (const name of operands.length === 0 ? names : operands) {
  if (noNetwork !== undefined && FAULTS.find((one) => one.name === name)?.onNetwork === true) {
    skipped.push(name);
    continue;
  }
  const startMs = performance.now();
  const seconds = (): number => Math.round((performance.now() - startMs) / 1_000);
  try {
    const text = await runNamed(name, folder, values.seed, values.rounds);
    rows.push({ name, isGood: true, seconds: seconds(), text });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    appendFileSync(join(folder, `${name}.failure`), message);
    const [first = ''] = message.split('\n');
    rows.push({ name, isGood: false, seconds: seconds(), text: `${first} (${name}.failure)` });
  }
  const { isGood, text, seconds: took } = rows.at(-1) as Row;
  say(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${took} s): ${text}`);
}

const failed = rows.filter(({ isGood }) => !isGood);
say('');
say('fault                         seconds  result');
for (const { name, isGood, seconds } of rows) {
  say(`${name.padEnd(29)} ${`${seconds}`.padStart(7)}  ${isGood ? 'nothing lost' : 'FAILED'}`);
}
if (skipped.length > 0)
  say(`SKIPPED, they need root, iproute2 and iptables (${noNetwork}): ${skipped.join(', ')}`);
// What was asked for and skipped is no pass, nor is nothing at all.
const isPass =
  failed.length === 0 && rows.length > 0 && (operands.length === 0 || skipped.length === 0);
if (isPass && values.folder === undefined) rmSync(folder, { recursive: true });
else say(`folder: ${folder}`);
say(`${rows.length - failed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
process.exit(isPass ? 0 : FAILED);
