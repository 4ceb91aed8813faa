/**
 * Clients that write to an exchange and read from it at the same time, until it dies. Each client
 * notes a request before sending it, and an answer after all of it has arrived.
 *
 * Invariant: the seed determines the drawn numbers. How many requests are done depends on timing.
 */
import { Random } from '../../http/codec/random.ts';
import { type Answer, type OrderWishes, sendTo, type Trader } from '../http/exchange-fixture.ts';
import { lotsOf, wireLevelsText } from './levels.ts';
import type { Scene, SceneMarket } from './scene.ts';
import type { KeyAttempt, MoveAttempt, OrderAttempt, Told } from './told.ts';

const MICRO_TOKENS_PER_LOT = 10_000;
const GTD_SECONDS = 3_600;
const WRITERS_A_TRADER = 2;
const MAX_IN_BATCH = 8;
/** In place of the index of a trader. */
const OPERATOR = -1;
const WHO_AND_WHY = { by: 'faults', reason: 'to see whether it is there after a crash' };

/** Answers that leave open whether anything was done. */
function isOpenAnswer({ status }: Answer): boolean {
  return status >= 500 || status === 429 || status === 425;
}

export class Clients {
  readonly #scene: Scene;
  readonly #told: Told;
  readonly #random: Random;
  readonly #name: string;
  readonly #live: string[][];
  #numbers = 0;
  #isOver = false;

  /** `name` must be unique to the run: idempotency keys begin with it. */
  constructor(scene: Scene, told: Told, { seed, name }: { seed: number; name: string }) {
    this.#scene = scene;
    this.#told = told;
    this.#random = new Random(seed);
    this.#name = name;
    this.#live = scene.traders.map(() => []);
  }

  /** Ends when the exchange does not answer any more, or after `stop`. */
  async run(): Promise<void> {
    const { traders } = this.#scene;
    const loops = traders.flatMap((_, trader) => [
      ...Array.from({ length: WRITERS_A_TRADER }, () => this.#loop(() => this.#write(trader))),
      this.#loop(() => this.#read(trader)),
    ]);
    await Promise.all([...loops, this.#loop(() => this.#operate())]);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Sends an order again, with the same payload. The answer tells whether the order is known. */
  async retryOrder(attempt: OrderAttempt): Promise<Answer> {
    const trader = this.#traderOf(attempt.trader);
    return await trader.signed('POST', '/order', attempt.payload);
  }

  async retryMove(attempt: MoveAttempt): Promise<Answer> {
    return attempt.trader < 0
      ? await this.#operator(attempt.path, attempt.body)
      : await this.#traderOf(attempt.trader).signed('POST', attempt.path, attempt.body);
  }

  async #loop(step: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      try {
        await step();
      } catch (error) {
        if (!isCut(error)) throw error;
        this.#told.unanswered += 1;
        this.#isOver = true;
      }
    }
  }

  #traderOf(index: number): Trader {
    const trader = this.#scene.traders[index];
    if (trader === undefined) throw new Error(`there is no trader ${index}`);
    return trader;
  }

  #write(trader: number): Promise<void> {
    const drawn = this.#random.below(100);
    if (drawn < 45) return this.#place(trader);
    if (drawn < 62) return this.#placeBatch(trader);
    if (drawn < 76) return this.#cancel(trader);
    if (drawn < 79) return this.#cancelMany(trader);
    if (drawn < 89) return this.#moveSets(trader);
    if (drawn < 92) return this.#convert(trader);
    if (drawn < 95) return this.#churnKey(trader);
    if (drawn < 97) return this.#beat(trader);
    return this.#dismiss(trader);
  }

  async #read(trader: number): Promise<void> {
    const drawn = this.#random.below(6);
    if (drawn === 0) await this.#readBook();
    else if (drawn === 1) await this.#readBalance(trader);
    else if (drawn === 2) await this.#readTrades(trader);
    else if (drawn === 3) await this.#readNotifications(trader);
    else if (drawn === 4) await this.#readOrder(trader);
    else await this.#readOrders(trader);
  }

  #drawOrder(trader: number): { readonly attempt: OrderAttempt; readonly wishes: OrderWishes } {
    const random = this.#random;
    const market: SceneMarket = random.pick(this.#scene.traded);
    const orderType = random.pick(['GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK', 'FAK']);
    const side = random.chance(70) ? 'BUY' : 'SELL';
    const expires = Math.floor(Date.now() / 1_000) + GTD_SECONDS;
    const wishes: OrderWishes = {
      tokenId: random.pick(market.tokenIds),
      side,
      priceTicks: 100 * random.between(40, 60),
      lots: 100 * random.between(5, 40),
      orderType,
      postOnly: orderType === 'GTC' && random.chance(10),
      changes: orderType === 'GTD' ? { expiration: `${expires}` } : {},
    };
    const owner = this.#traderOf(trader);
    const payload = owner.order(wishes);
    const orderId = owner.idOf(payload);
    const attempt: OrderAttempt = { trader, orderId, payload, outcome: undefined };
    this.#told.orders.set(orderId, attempt);
    return { attempt, wishes };
  }

  async #place(trader: number): Promise<void> {
    const { attempt } = this.#drawOrder(trader);
    const answer = await this.#traderOf(trader).signed('POST', '/order', attempt.payload);
    this.#told.answered += 1;
    this.#settle(attempt, answer, answer.body);
  }

  async #placeBatch(trader: number): Promise<void> {
    const count = this.#random.between(2, MAX_IN_BATCH);
    const attempts = Array.from({ length: count }, () => this.#drawOrder(trader).attempt);
    const body = attempts.map(({ payload }) => payload);
    const answer = await this.#traderOf(trader).signed('POST', '/orders', body);
    this.#told.answered += 1;
    // One element for each order, as the route documents.
    const results = answer.body as unknown as readonly Answer['body'][];
    if (isOpenAnswer(answer)) return;
    for (const [index, attempt] of attempts.entries()) {
      const result = answer.status === 200 ? results[index] : undefined;
      if (result === undefined) attempt.outcome = 'refused';
      else this.#settle(attempt, answer, result);
    }
  }

  #settle(attempt: OrderAttempt, answer: Answer, result: Answer['body']): void {
    if (isOpenAnswer(answer)) return;
    const { code } = result;
    // One order of a batch was not answered for certain: its outcome stays open.
    if (code === 'stopping' || code === 'overloaded' || code === 'service_not_ready') return;
    attempt.outcome = answer.status === 200 && result.orderID !== '' ? 'accepted' : 'refused';
    if (attempt.outcome === 'accepted') this.#live[attempt.trader]?.push(attempt.orderId);
  }

  async #cancel(trader: number): Promise<void> {
    const live = this.#live[trader] ?? [];
    const count = Math.min(live.length, this.#random.between(1, 4));
    if (count === 0) return this.#place(trader);
    const start = this.#random.below(live.length - count + 1);
    const named = live.splice(start, count);
    const one = count === 1;
    const path = one ? '/order' : '/orders';
    const body = one ? { orderID: named[0] } : named;
    this.#takeCanceled(await this.#traderOf(trader).signed('DELETE', path, body));
  }

  async #cancelMany(trader: number): Promise<void> {
    const owner = this.#traderOf(trader);
    if (this.#random.chance(50)) {
      this.#takeCanceled(await owner.signed('DELETE', '/cancel-all'));
      return;
    }
    const market = this.#random.pick(this.#scene.traded).conditionId;
    this.#takeCanceled(await owner.signed('DELETE', '/cancel-market-orders', { market }));
  }

  #takeCanceled({ status, body }: Answer): void {
    this.#told.answered += 1;
    if (status !== 200) return;
    for (const orderId of body.canceled) this.#told.canceled.add(orderId);
  }

  async #moveSets(trader: number): Promise<void> {
    const market = this.#random.pick(this.#scene.markets).conditionId;
    const path = this.#random.chance(60) ? '/sets/split' : '/sets/merge';
    const amount = `${this.#random.between(1, 30)}`;
    const key = this.#newKey();
    await this.#move({ trader, path, key, body: { market, amount, key }, outcome: undefined });
  }

  /** Converts NO tokens of some markets. The account may not have any, which is refused. */
  async #convert(trader: number): Promise<void> {
    const { eventId, markets } = this.#scene.event;
    const first = this.#random.below(markets.length);
    const count = this.#random.between(1, markets.length);
    const named = [...markets, ...markets].slice(first, first + count);
    const key = this.#newKey();
    const body = {
      event_id: eventId,
      markets: named.map(({ conditionId }) => conditionId),
      amount: `${this.#random.between(1, 10)}`,
      key,
    };
    await this.#move({ trader, path: '/sets/convert', key, body, outcome: undefined });
  }

  /** Arms or renews a dead man's switch. Heartbeats are so rare that it trips now and then. */
  async #beat(trader: number): Promise<void> {
    const owner = this.#traderOf(trader);
    const { status, body } = await owner.signed('POST', '/v1/heartbeats', { heartbeat_id: '' });
    this.#told.answered += 1;
    if (status !== 200) return;
    const { heartbeat_id: heartbeatId } = body as unknown as { readonly heartbeat_id: string };
    this.#told.switches.push({ owner: owner.address, heartbeatId });
  }

  /** Deposits to a trader's account or withdraws from it, as the operator. */
  async #operate(): Promise<void> {
    const random = this.#random;
    const path = random.chance(60) ? '/deposits' : '/withdrawals';
    const account = random.pick(this.#scene.traders).address;
    const key = this.#newKey();
    const body = { account, amount: `${random.between(1, 100)}.${random.between(1, 9)}`, key };
    await this.#move({ trader: OPERATOR, path, key, body, outcome: undefined });
  }

  async #move(attempt: MoveAttempt): Promise<void> {
    this.#told.moves.set(attempt.key, attempt);
    const answer = await this.retryMove(attempt);
    this.#told.answered += 1;
    if (!isOpenAnswer(answer)) attempt.outcome = answer.status === 200 ? 'done' : 'refused';
  }

  /** Issues an API key and in 70% of the cases revokes it. */
  async #churnKey(trader: number): Promise<void> {
    const owner = this.#traderOf(trader);
    this.#numbers += 1;
    const nonce = `${Date.now()}${this.#numbers}`;
    const attempt: KeyAttempt = {
      trader,
      nonce,
      apiKey: undefined,
      outcome: undefined,
      revoking: false,
    };
    this.#told.keys.set(`${trader} ${nonce}`, attempt);
    const headers = owner.walletHeaders({ nonce });
    const issued = await owner.send('POST', '/auth/api-key', { headers });
    this.#told.answered += 1;
    if (issued.status !== 200) return;
    attempt.apiKey = issued.body.apiKey;
    attempt.outcome = 'issued';
    if (this.#random.chance(30)) return;
    attempt.revoking = true;
    const revoked = await owner.signed('DELETE', `/auth/api-key?apiKey=${attempt.apiKey}`);
    this.#told.answered += 1;
    if (revoked.status === 200) attempt.outcome = 'revoked';
  }

  async #dismiss(trader: number): Promise<void> {
    const own = [...this.#told.notifications.keys()].filter((place) =>
      place.startsWith(`${trader} `),
    );
    if (own.length === 0) return;
    const place = this.#random.pick(own);
    this.#told.dismissed.add(place);
    const id = place.split(' ')[1];
    await this.#traderOf(trader).signed('DELETE', `/notifications?ids=${id}`);
    this.#told.answered += 1;
  }

  async #readBook(): Promise<void> {
    const tokenId = this.#random.pick(this.#scene.tokenIds);
    const { conditionId, outcome } = this.#scene.tokenPlace(tokenId);
    const path = `/book?token_id=${tokenId}`;
    const { status, text } = await this.#scene.ask(
      ({ url, limits }) => sendTo(url, 'GET', path, limits),
      OPERATOR,
    );
    this.#told.answered += 1;
    if (status !== 200) return;
    this.#told.showBook({ conditionId, levels: wireLevelsText(JSON.parse(text), outcome) });
  }

  async #readBalance(trader: number): Promise<void> {
    const owner = this.#traderOf(trader);
    const tokenId = this.#random.chance(50) ? '' : this.#random.pick(this.#scene.tokenIds);
    const asset = tokenId === '' ? 'asset_type=COLLATERAL' : `asset_type=CONDITIONAL`;
    const query = tokenId === '' ? asset : `${asset}&token_id=${tokenId}`;
    const { status, text } = await owner.signed('GET', `/balance-allowance?${query}`);
    this.#told.answered += 1;
    if (status !== 200) return;
    const { available, held } = JSON.parse(text);
    const unit = tokenId === '' ? 1 : MICRO_TOKENS_PER_LOT;
    const shown = { available: Number(available) / unit, held: Number(held) / unit };
    this.#told.shownBalances.push({ address: owner.address, tokenId, ...shown });
  }

  async #readTrades(trader: number): Promise<void> {
    const { status, text } = await this.#traderOf(trader).signed('GET', '/data/trades');
    this.#told.answered += 1;
    if (status !== 200) return;
    for (const trade of JSON.parse(text).data) {
      this.#told.trades.set(`${trader} ${trade.id}`, JSON.stringify(trade));
    }
  }

  async #readNotifications(trader: number): Promise<void> {
    const { status, text } = await this.#traderOf(trader).signed('GET', '/notifications');
    this.#told.answered += 1;
    if (status !== 200) return;
    for (const one of JSON.parse(text)) {
      this.#told.notifications.set(`${trader} ${one.id}`, JSON.stringify(one));
    }
  }

  async #readOrder(trader: number): Promise<void> {
    const live = this.#live[trader] ?? [];
    if (live.length === 0) return;
    const orderId = this.#random.pick(live);
    const { status, text } = await this.#traderOf(trader).signed('GET', `/data/order/${orderId}`);
    this.#told.answered += 1;
    if (status === 200) this.#showOrder(JSON.parse(text));
  }

  async #readOrders(trader: number): Promise<void> {
    const { status, text } = await this.#traderOf(trader).signed('GET', '/data/orders');
    this.#told.answered += 1;
    if (status !== 200) return;
    for (const order of JSON.parse(text).data) this.#showOrder(order);
  }

  #showOrder(order: { id: string; size_matched: string; status: string }): void {
    const isOver = order.status !== 'LIVE' && order.status !== 'DELAYED';
    const filledLots = lotsOf(order.size_matched);
    this.#told.shownOrders.push({ orderId: order.id, filledLots, isOver });
  }

  #newKey(): string {
    this.#numbers += 1;
    return `${this.#name}-${this.#numbers}`;
  }

  #operator(path: string, content: object): Promise<Answer> {
    const body = JSON.stringify({ ...WHO_AND_WHY, ...content });
    return this.#scene.ask(({ adminUrl, adminToken, limits }) => {
      const headers = { authorization: `Bearer ${adminToken}` };
      return sendTo(adminUrl, 'POST', path, { headers, body, ...limits });
    }, OPERATOR);
  }
}

/** Whether `fetch` failed, or half an answer was parsed, because the connection was cut. */
function isCut(error: unknown): boolean {
  return (
    (error instanceof TypeError && /fetch failed|terminated|body/.test(error.message)) ||
    (error instanceof SyntaxError && /JSON/.test(error.message))
  );
}
