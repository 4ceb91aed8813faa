/**
 * Clients that write comments, and check at the end that each gateway shows each acknowledged one
 * exactly once, with the id that was told.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place, Scene } from '../faults/scene.ts';
import { sendTo } from '../http/exchange-fixture.ts';

/** Of the built-in catalog. */
const EVENT_ID = 11;
const PAGE = 100;
const SHOWN_MS = 10_000;
const PAUSE_MS = 100;

interface ShownComment {
  readonly id: string;
  readonly body: string;
}

export class Commenters {
  readonly #scene: Scene;
  readonly #told = new Map<string, string>();
  #isOver = false;
  #loaded: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get count(): number {
    return this.#told.size;
  }

  /** `name` must be new for each load: keys begin with it. */
  run(name: string): void {
    this.#isOver = false;
    this.#loaded = Promise.all(
      this.#scene.traders.slice(0, 2).map((_, index) => this.#loop(name, index)),
    );
    this.#loaded.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#loaded;
  }

  async #loop(name: string, index: number): Promise<void> {
    const trader = this.#scene.traders[index];
    while (!this.#isOver && trader !== undefined) {
      this.#count += 1;
      const body = `${name} says ${this.#count}`;
      const key = body.replaceAll(' ', '-');
      const content = { body, key, parent_entity_type: 'Event', parent_entity_id: EVENT_ID };
      const { status, text } = await trader.signed('POST', '/comments', content);
      if (status === 200) this.#told.set(body, `${JSON.parse(text).id}`);
      await sleep(PAUSE_MS);
    }
  }

  /** A gateway may be a moment behind. */
  async check(place: Place): Promise<void> {
    const lastMs = performance.now() + SHOWN_MS;
    for (;;) {
      const shown = await this.#shownAt(place);
      const missing = [...this.#told].filter(([body, id]) => shown.get(body) !== id);
      if (missing.length === 0) return;
      assert.ok(performance.now() < lastMs, `comments are missing at ${place.url}: ${missing}`);
      await sleep(PAUSE_MS);
    }
  }

  async #shownAt({ url, limits }: Place): Promise<Map<string, string>> {
    const stored = new Map<string, string>();
    for (let offset = 0; ; offset += PAGE) {
      const query = `parent_entity_type=Event&parent_entity_id=${EVENT_ID}&limit=${PAGE}`;
      const path = `/comments?${query}&offset=${offset}`;
      const { status, text } = await sendTo(url, 'GET', path, limits);
      assert.equal(status, 200, text);
      // Safe: the route answers with a list of comments.
      const comments = JSON.parse(text) as readonly ShownComment[];
      for (const { id, body } of comments) {
        assert.ok(!stored.has(body), `comment "${body}" is stored once`);
        stored.set(body, id);
      }
      if (comments.length < PAGE) return stored;
    }
  }
}
