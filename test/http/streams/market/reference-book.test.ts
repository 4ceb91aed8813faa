// Subscribers who rebuild the books of a market from the stream alone, while seeded random traders
// place, cancel and trade, and while their connections drop and come back.
import t, { type Test } from 'tap';
import { times } from '../../../long-set.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { tradeAtRandom } from '../random-trading.ts';
import { type Random, randomBy } from '../seeded-random.ts';
import { StreamClient } from '../stream-client.ts';
import { ReferenceBook } from './reference-book.ts';

/** The book that a subscriber has rebuilt, and its connection if it has one. */
class Subscriber {
  readonly book: ReferenceBook;
  readonly #url: string;
  readonly #tokenIds: readonly string[];
  #client: StreamClient | undefined;

  constructor(url: string, tokenIds: readonly string[]) {
    this.#url = url;
    this.#tokenIds = tokenIds;
    this.book = new ReferenceBook(tokenIds);
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  async connect(): Promise<void> {
    this.#client = await StreamClient.open(this.#url);
    const { sequence, streamId } = this.book;
    this.#client.send({
      assets_ids: this.#tokenIds,
      ...(sequence < 0 ? {} : { operation: 'resume', stream_id: streamId, sequence }),
    });
  }

  /** Reads only the first part of what was received, like a connection that breaks. */
  async drop(random: Random): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    await client.settled();
    const count = random(client.messages.length + 1);
    for (const message of client.messages.slice(0, count)) this.book.take(message);
    this.#client = undefined;
    client.close();
    await client.closed;
  }

  /** Reads everything that was sent by now. */
  async catchUp(): Promise<void> {
    await this.#client?.settled();
    for (const message of this.#client?.messages.splice(0) ?? []) this.book.take(message);
  }
}

async function checkBooks(
  t: Test,
  { send }: TestExchange,
  subscribers: readonly Subscriber[],
  step: number,
): Promise<void> {
  for (const subscriber of subscribers) {
    if (!subscriber.isConnected) continue;
    await subscriber.catchUp();
    for (const [tokenId, token] of subscriber.book.tokens) {
      const { text } = await send('GET', `/book?token_id=${tokenId}`);
      const { timestamp } = JSON.parse(text);
      // A trade that leaves all levels the same sends no time; the next book has it.
      token.timestamp = timestamp;
      if (token.text !== text) t.equal(token.text, text, `step ${step}`);
    }
  }
}

/** The exchange outlives the subtests that share it. */
const file = t;

const SEEDS = times(1, 20);
const STEPS = 150;

for (let seed = 1; seed <= SEEDS; seed += 1) {
  t.test(`books rebuilt from the stream equal those of REST, seed ${seed}`, async (t) => {
    // A share for each seed: no exchange has markets for all of them.
    const share = await shareTestExchange(file);
    const exchange = share();
    const { plain, running, trader } = exchange;
    const [yes, no] = plain.tokenIds;
    const random = randomBy(seed);
    const traders = [await trader(1), await trader(2), await trader(3)];
    const tokenLists = [[yes, no], [no, yes], [yes], [no], [yes, no]];
    const subscribers = tokenLists.map((tokenIds) => new Subscriber(running.url, tokenIds));
    for (const subscriber of subscribers) await subscriber.connect();
    await Promise.all(subscribers.map((subscriber) => subscriber.catchUp()));
    for (let step = 0; step < STEPS; step += 1) {
      exchange.clock.ms += random(3);
      await tradeAtRandom(plain, traders, random);
      // The first one never drops: it shows what the others must not miss.
      const one = subscribers[1 + random(subscribers.length - 1)];
      if (random(3) > 0) await (one?.isConnected ? one.drop(random) : one?.connect());
      await checkBooks(t, exchange, subscribers, step);
    }
    for (const subscriber of subscribers) if (!subscriber.isConnected) await subscriber.connect();
    await checkBooks(t, exchange, subscribers, STEPS);
    const [witness] = subscribers;
    for (const { book } of subscribers) {
      t.equal(book.isComplete, true, 'everything was still in the ring');
      t.equal(book.sequence, witness?.book.sequence);
      for (const [tokenId, trades] of book.trades) {
        t.strictSame(
          trades.map(({ transaction_hash, price }) => [transaction_hash, price]),
          witness?.book.trades
            .get(tokenId)
            ?.map(({ transaction_hash, price }) => [transaction_hash, price]),
          'no trade is missed, and none is seen twice',
        );
      }
      t.ok(book.verified > 20, `${book.verified} hashes were checked`);
    }
    t.ok(
      witness !== undefined && [...witness.book.trades.values()].every(({ length }) => length > 20),
    );
    t.ok(subscribers.some(({ book }) => book.replayed > 20));
  });
}
