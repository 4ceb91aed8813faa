/**
 * Traders that stay at one gateway each and read every order there as soon as it is acknowledged: a
 * gateway shows what it has acknowledged.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place, Scene } from '../faults/scene.ts';
import type { OrderAttempt, Told } from '../faults/told.ts';
import { type Answer, sendTo, type Trader } from '../http/exchange-fixture.ts';

const PAUSE_MS = 100;
const LOTS = 500;
const PRICE_TICKS = 100;

export class OwnReads {
  readonly #scene: Scene;
  readonly #told: Told;
  readonly #places: readonly Place[];
  #isOver = false;
  #loaded: Promise<unknown> = Promise.resolve();
  /** Orders that were read where they were acknowledged. */
  read = 0;

  constructor(scene: Scene, told: Told, places: readonly Place[]) {
    this.#scene = scene;
    this.#told = told;
    this.#places = places;
  }

  run(): void {
    this.#isOver = false;
    this.#loaded = Promise.all(this.#places.map((place, index) => this.#loop(place, index)));
    this.#loaded.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#loaded;
  }

  async #loop(place: Place, index: number): Promise<void> {
    const trader = this.#scene.traders[index];
    assert.ok(trader !== undefined);
    while (!this.#isOver) {
      await this.#once(place, trader, index);
      await sleep(PAUSE_MS);
    }
  }

  async #once(place: Place, trader: Trader, index: number): Promise<void> {
    const [market] = this.#scene.traded;
    const tokenId = market?.tokenIds[0] ?? '';
    const payload = trader.order({ tokenId, priceTicks: PRICE_TICKS, lots: LOTS });
    const orderId = trader.idOf(payload);
    const attempt: OrderAttempt = { trader: index, orderId, payload, outcome: undefined };
    this.#told.orders.set(orderId, attempt);
    const placed = await send(place, trader, 'POST', '/order', payload);
    if (placed?.status !== 200) return;
    attempt.outcome = 'accepted';
    const path = `/data/order/${orderId}`;
    const shown = await send(place, trader, 'GET', path);
    if (shown === undefined || shown.status === 425 || shown.status === 503) return;
    assert.equal(
      shown.status,
      200,
      `${place.url} does not show an order it accepted: ${shown.text}`,
    );
    this.read += 1;
  }
}

/** Undefined if there is no answer: the gateway was killed, paused or cut off. */
async function send(
  { url, limits }: Place,
  trader: Trader,
  method: string,
  path: string,
  value?: object,
): Promise<Answer | undefined> {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const headers = trader.keyHeaders(method, path, body);
  try {
    return await sendTo(url, method, path, { body, headers, ...limits });
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return undefined;
  }
}
