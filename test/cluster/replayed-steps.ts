/**
 * The steps of the streams as an independent replay of a journal makes them: a gateway that follows
 * everything from the first command on.
 */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { Engine } from '../../engine/index.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { recover } from '../../persistence/recovery/recovery.ts';
import { KEEPS_ALL, LOG_ID, StreamGateway } from '../http/streams/stream-gateway.ts';

/** What differs between receivers, between gateways, or with texts of the catalog. */
const OWN_FIELDS: readonly string[] = [
  ...['server_ts_ms', 'stream_id', 'associate_trades'],
  ...['owner', 'order_owner', 'trade_owner', 'outcome'],
];

function comparable(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) =>
    OWN_FIELDS.includes(name) ? undefined : value,
  );
}

interface Told {
  readonly market?: string;
  readonly sequence: number;
  readonly event_type: string;
  readonly asset_id?: string;
}

export class ReplayedSteps {
  readonly #gateway = new StreamGateway(undefined, KEEPS_ALL);
  readonly #texts = new Map<string, Set<string>>();
  checked = 0;

  /** Replays the journal of a data folder. */
  async replay(dataDir: string, markets: readonly string[], owners: readonly string[]) {
    const journalPath = join(dataDir, 'journal.db');
    const journal = new JournalReader(journalPath);
    const { lastSeq } = journal;
    journal.close();
    for (const owner of owners) this.#gateway.follow(owner);
    await recover({
      journalPath,
      engine: new Engine(),
      lastSeq,
      onDurable: (batch) => {
        for (const market of markets) this.#gateway.watch(market);
        this.#gateway.take(batch);
      },
    });
    for (const market of markets) {
      const texts = this.#gateway.watch(market)?.missed(LOG_ID, 0, () => true);
      this.#texts.set(market, new Set(texts?.map(comparable)));
    }
    for (const owner of owners) {
      const missed = this.#gateway.follow(owner).missed(LOG_ID, 0);
      this.#texts.set(owner, new Set(missed?.map(({ text }) => comparable(text))));
    }
  }

  /** Checks that a message about a market or an owner is one of the replay. */
  check(name: string, text: string): void {
    const told = JSON.parse(text) as Told;
    const what = `step ${told.sequence} (${told.event_type}) of ${name} is not in the replay`;
    assert.ok(this.#texts.get(name)?.has(comparable(text)), what);
    this.checked += 1;
  }
}
