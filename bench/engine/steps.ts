/**
 * `npm run bench -- steps`: work that no single command may do at once
 * (docs/decisions/0010-long-work-in-steps.md): how long each of its steps takes, in processor
 * time of the process, which includes the collection of garbage.
 */
import { type Command, Engine, isChange, lots } from '../../engine/index.ts';
import { addressOf, createMarket, openAccount, placeOrder, word } from '../harness/commands.ts';
import { fixed, printProgress, whole } from '../harness/print.ts';
import { collectGarbage, ownMicros } from '../harness/processor-time.ts';
import type { BenchResult } from '../harness/results.ts';
import { spreadOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';

const ACCOUNTS = 30;
const TAKER = addressOf(ACCOUNTS);
const DUE_MS = 2_000_000;
const conditionId = word('condition');
const TOKENS = [BigInt(word('yes')).toString(), BigInt(word('no')).toString()] as const;
const FEES = { takerFeeBps: 700, makerFeeBps: 100, feeExponent: 1 } as const;

/** Applies commands at one time, which a test moves. */
class Life {
  readonly engine = new Engine({}, { reserveOrders: 400_000 });
  timeMs = 1_000_000;
  #seq = 0;

  constructor() {
    this.apply(createMarket({ conditionId, tokenIds: TOKENS, ...FEES }));
    for (let account = 0; account <= ACCOUNTS; account += 1) {
      this.apply(openAccount(addressOf(account), 1e13));
    }
    const owner = { account: TAKER, owner: TAKER };
    this.apply({ kind: 'split', ...owner, conditionId, lots: lots(100_000), key: 'sets' });
  }

  apply(command: Command): void {
    const events = this.engine.applyNamed(this.#seq + 1, this.timeMs, command);
    if (events.some(isChange)) this.#seq += 1;
  }

  rest(number: number, expiresAtMs?: number): void {
    const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
    this.apply(
      placeOrder({
        orderId: word('rests', number),
        account: addressOf(number % ACCOUNTS),
        tokenId: TOKENS[0],
        side: 'BUY',
        type: expiresAtMs === undefined ? 'GTC' : 'GTD',
        priceTicks: 4_500 + 100 * (number % 5),
        lots: 10,
        apiKey: '',
        ...expiry,
      }),
    );
  }
}

/** Prepares the work and returns its first command. */
const WORK: Readonly<Record<string, (life: Life) => Command>> = {
  '300,000 expirations': (life) => {
    for (let number = 0; number < 300_000; number += 1) life.rest(number, DUE_MS);
    life.timeMs = DUE_MS;
    return { kind: 'advance_time' };
  },
  'an order that fills 9,999, with fees': (life) => {
    for (let number = 0; number < 9_999; number += 1) life.rest(number);
    const [account, tokenId] = [TAKER, TOKENS[0]];
    const terms = { account, tokenId, side: 'SELL', type: 'FAK', apiKey: '' } as const;
    return placeOrder({ orderId: word('takes'), ...terms, priceTicks: 100, lots: 99_990 });
  },
};

function measure(prepare: (life: Life) => Command) {
  const life = new Life();
  const first = prepare(life);
  collectGarbage();
  const micros: number[] = [];
  for (let next = first; micros.length === 0 || life.engine.isBehind(life.timeMs); ) {
    const start = ownMicros();
    life.apply(next);
    micros.push(ownMicros() - start);
    next = { kind: 'advance_time' };
  }
  micros.sort((a, b) => a - b);
  const at = (share: number): number => micros[Math.floor((micros.length - 1) * share)]! / 1e3;
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}

export async function benchSteps({ rounds = 5 }): Promise<BenchResult> {
  const figures = Object.entries(WORK).map(([what, prepare]) => {
    printProgress(`steps: ${what}`);
    const measured = Array.from({ length: rounds }, () => measure(prepare));
    const medianOf = (name: 'p50' | 'p99' | 'longest') =>
      spreadOf(measured.map((one) => one[name])).median;
    return { what, p50: medianOf('p50'), p99: medianOf('p99'), longest: medianOf('longest') };
  });
  const rows = figures.map(({ what, p50, p99, longest }) =>
    summaryRow({
      what: `${what}: processor ms of a step, ${whole(rounds)} rounds, p50, p99, longest`,
      ours: [p50, p99, longest].map((ms) => fixed(ms, 1)).join(', '),
      budget: 'under 5 ms',
      value: p99,
    }),
  );
  return { figures: { unit: 'ms', rounds, figures }, rows };
}
