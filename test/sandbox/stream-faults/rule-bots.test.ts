// Bots that follow the documented rules, and nothing else, while random faults mute, close, skip,
// freeze and retell: they check the numbers, connect again and resume. When the faults are gone,
// they know the true book, orders, balances and trades.
import { AssertionError } from 'node:assert';
import t, { type Test } from 'tap';
import { shareTestExchange, type TestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { ReferenceBook } from '../../http/streams/market/reference-book.ts';
import { type Random, randomBy } from '../../http/streams/seeded-random.ts';
import { type Message, StreamClient } from '../../http/streams/stream-client.ts';
import { ReferenceAccount } from '../../http/streams/user/reference-account.ts';
import { authOf } from '../../http/streams/user/user-fixture.ts';
import { times } from '../../long-set.ts';
import { makeFault, type ShownFault, sendOperator } from '../fault-fixture.ts';

/** What a bot knows. It throws an AssertionError for a message that does not follow. */
interface Knowledge {
  readonly sequence: number;
  readonly streamId: string;
  take(message: Message): void;
}

/** A bot on one socket. */
class RuleBot<Known extends Knowledge> {
  readonly known: Known;
  readonly #url: string;
  readonly #path: string;
  readonly #subscription: object;
  #client: StreamClient | undefined;
  gaps = 0;
  closes = 0;

  constructor(known: Known, url: string, path: string, subscription: object) {
    this.known = known;
    this.#url = url;
    this.#path = path;
    this.#subscription = subscription;
  }

  /** Reads what was sent by now. Connects if it has no socket, and again after a gap. */
  async read(): Promise<void> {
    const client = await this.#connected();
    // A ping has an answer or the socket is closed, also while it is mute.
    const isOpen = await Promise.race([
      client.closed.then(() => false),
      client.settled().then(
        () => true,
        () => false,
      ),
    ]);
    const hasGap = this.#hasGap(client.messages.splice(0));
    if (hasGap) this.gaps += 1;
    if (!isOpen) this.closes += 1;
    if (isOpen && !hasGap) return;
    client.close();
    this.#client = undefined;
  }

  async #connected(): Promise<StreamClient> {
    if (this.#client !== undefined) return this.#client;
    const client = await StreamClient.open(this.#url, this.#path);
    this.#client = client;
    const { sequence, streamId } = this.known;
    const resume = { operation: 'resume', stream_id: streamId, sequence };
    client.send({ ...this.#subscription, ...(sequence < 0 ? {} : resume) });
    return client;
  }

  #hasGap(messages: readonly Message[]): boolean {
    try {
      for (const message of messages) this.known.take(message);
      return false;
    } catch (error) {
      if (error instanceof AssertionError) return true;
      throw error;
    }
  }
}

const KINDS = ['muted_socket', 'closed_socket', 'sequence_gap', 'stale_book', 'trade_status'];
const STATUSES = ['MATCHED', 'MINED', 'RETRYING', 'CONFIRMED', 'FAILED'];

/** The parameters of a random fault of a kind. */
function parametersOf(kind: string, random: Random): object {
  switch (kind) {
    case 'sequence_gap':
      return {};
    case 'closed_socket':
      return { code: random(2) === 0 ? 1006 : 1012 };
    case 'trade_status': {
      const steps = Array.from({ length: 1 + random(4) }, () => ({
        status: STATUSES[random(STATUSES.length)],
        after_seconds: random(4),
      }));
      return { steps };
    }
    default:
      return { seconds: 1 + random(5) };
  }
}

/** A random fault of the market or of one of its traders. */
function randomFault({ exchange, traders, random }: Scene): object {
  const kind = KINDS[random(KINDS.length)] ?? '';
  const owner = traders[random(traders.length)]?.address;
  const isOfMarket = kind === 'stale_book' || random(2) === 0;
  return {
    kind,
    match: isOfMarket ? { market: exchange.plain.conditionId } : { owner },
    probability: random(2) === 0 ? 1 : 0.3,
    count: 1 + random(3),
    seed: random(1_000),
    ...parametersOf(kind, random),
  };
}

interface Scene {
  readonly exchange: TestExchange;
  readonly traders: readonly Trader[];
  readonly random: Random;
}

/** Some requests at once, so that batches have more than one command. */
async function act({ exchange, traders, random }: Scene): Promise<void> {
  exchange.clock.ms += random(1_500);
  const requests = Array.from({ length: 1 + random(3) }, () => {
    const trader = traders[random(traders.length)];
    if (random(8) === 0) return trader?.signed('DELETE', '/cancel-all');
    return trader?.place({
      tokenId: exchange.plain.tokenIds[random(2)] ?? '',
      priceTicks: 100 * (42 + random(16)),
      lots: 500 + 100 * random(10),
      orderType: random(5) === 0 ? 'FAK' : 'GTC',
    });
  });
  await Promise.all(requests);
}

async function removeAll(exchange: TestExchange): Promise<readonly ShownFault[]> {
  return JSON.parse((await sendOperator(exchange, 'DELETE', '/faults')).text).data;
}

async function listOf(trader: Trader, path: string): Promise<readonly Message[]> {
  const { data } = JSON.parse((await trader.signed('GET', path)).text);
  return data;
}

function sorted(rows: Iterable<Message>, ...fields: readonly string[]): string[] {
  return [...rows].map((row) => fields.map((field) => row[field]).join(' ')).sort();
}

/** Compares what a bot knows of its owner with REST. */
async function checkAccount(t: Test, known: ReferenceAccount, trader: Trader): Promise<void> {
  const orders = ['id', 'size_matched'];
  const trades = ['id', 'status'];
  t.strictSame(
    sorted(known.orders.values(), ...orders),
    sorted(await listOf(trader, '/data/orders'), ...orders),
  );
  const all = await listOf(trader, '/data/trades');
  t.strictSame(sorted(known.trades.values(), ...trades), sorted(all, ...trades));
  t.ok(all.length > 0 && all.every(({ status }) => status === 'CONFIRMED'), 'the truth is told');
  const { text } = await trader.signed('GET', '/balance-allowance?asset_type=COLLATERAL');
  const { available, held, address } = JSON.parse(text);
  t.strictSame(known.balance(address, ''), { available, held });
}

const share = await shareTestExchange(t);
const SEEDS = times(2, 20);
const STEPS = 80;
const STEPS_A_FAULT = 4;
/** A bot that misses something reads that, connects again, and reads the rest. */
const READS = 3;
const firedKinds = new Set<string>();

for (let seed = 1; seed <= SEEDS; seed += 1) {
  t.test(`bots that follow the rules end with the truth, seed ${seed}`, async (t) => {
    const exchange = share();
    const { plain, running } = exchange;
    const traders = [await exchange.trader(1), await exchange.trader(2)];
    const scene = { exchange, traders, random: randomBy(seed) };
    const market = new RuleBot(new ReferenceBook(plain.tokenIds), running.url, '/ws/market', {
      assets_ids: plain.tokenIds,
    });
    const users = traders.map(
      (trader) =>
        new RuleBot(new ReferenceAccount({ mayWalk: true }), running.url, '/ws/user', {
          auth: authOf(trader),
          custom_feature_enabled: true,
        }),
    );
    const bots: readonly RuleBot<Knowledge>[] = [market, ...users];
    for (const bot of bots) await bot.read();
    for (let step = 1; step <= STEPS; step += 1) {
      if (step % STEPS_A_FAULT === 0) await makeFault(exchange, randomFault(scene));
      await act(scene);
      for (const bot of bots) if (scene.random(2) === 0) await bot.read();
    }
    const faults = await removeAll(exchange);
    // The numbers of the next messages tell a bot that was mute that it has missed some.
    for (const trader of traders) {
      await trader.place({ tokenId: plain.tokenIds[0], priceTicks: 100, lots: 500 });
    }
    for (let time = 0; time < READS; time += 1) for (const bot of bots) await bot.read();
    for (const [index, { known }] of users.entries()) {
      const trader = traders[index];
      if (trader !== undefined) await checkAccount(t, known, trader);
    }
    for (const [tokenId, token] of market.known.tokens) {
      const { text } = await exchange.send('GET', `/book?token_id=${tokenId}`);
      // A trade that leaves all levels the same sends no time; the next book has it.
      token.timestamp = JSON.parse(text).timestamp;
      t.equal(token.text, text);
    }
    const fired = faults.reduce((sum, fault) => sum + fault.fired, 0);
    const lost = bots.reduce((sum, bot) => sum + bot.gaps + bot.closes, 0);
    t.ok(lost > 5 && lost <= fired, `${lost} losses, and ${fired} times a fault fired`);
    for (const { kind, fired: count } of faults) if (count > 0) firedKinds.add(kind);
  });
}

t.test('a fault of each kind has fired', async (t) => {
  t.strictSame([...firedKinds].sort(), [...KINDS].sort());
});
