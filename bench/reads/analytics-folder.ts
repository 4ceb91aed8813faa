/**
 * Makes a data folder for the analytics bench, in a process of its own: a journal of many fills by
 * many accounts in many markets, written in batches as the sequencer would, a catalog with the
 * words of those markets, and a snapshot at the end. Invariant: it is what an exchange would have
 * written; an engine took each command, and what changed nothing is not in the journal.
 */
import { type Command, Engine, type EngineEvent, isChange } from '../../engine/index.ts';
import { openCatalog } from '../../persistence/catalog/catalog.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { BatchBuilder } from '../../persistence/journal/batch.ts';
import { writePayload } from '../../persistence/journal/payload.ts';
import { commandChecksum, prepareJournal } from '../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../persistence/journal/writer.ts';
import type { DurableCommand } from '../../persistence/shared/records.ts';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { SnapshotMaker } from '../../persistence/snapshots/maker.ts';
import { evidenceOf } from '../harness/made-names.ts';
import { answerParent, childInput } from '../harness/measurement.ts';
import { AnalyticsGenerator, type AnalyticsSize, type MadeMarket } from './analytics-generator.ts';
import { CatalogGenerator } from './catalog-generator.ts';

export interface AnalyticsFolderInput extends AnalyticsSize {
  readonly dataDir: string;
  /** When the last command was; the first was HISTORY_MS before. */
  readonly untilMs: number;
}

export interface AnalyticsFolderOutput {
  readonly commands: number;
  readonly fills: number;
  /** From the first command to the last synced commit. */
  readonly journalMs: number;
  /** Processor time meanwhile. */
  readonly journalWorkMs: number;
}

const HISTORY_MS = 60 * 86_400_000;
const EVENTS_A_BATCH = 200;
const MARKETS_AN_EVENT = 4;

/** Writes the words of all markets, all of them open, and says which they are. */
function makeCatalog(path: string, { seed, markets: count }: AnalyticsSize): MadeMarket[] {
  const catalog = openCatalog(path);
  const events = Math.max(1, Math.ceil(count / MARKETS_AN_EVENT));
  const size = { seed, events, markets: count, tags: 100, series: 20 };
  const made: MadeMarket[] = [];
  const open = { active: true, closed: false, archived: false };
  for (const batch of new CatalogGenerator(size).batches(EVENTS_A_BATCH)) {
    const opened = batch.map((event) => {
      // Safe: the generator gives each event its list of markets, with these fields as text.
      const markets = event.markets as readonly Readonly<Record<string, string>>[];
      for (const { conditionId = '', clobTokenIds = '' } of markets) {
        const [yes = '', no = ''] = JSON.parse(clobTokenIds) as string[]; // as above
        made.push({ conditionId, tokenIds: [yes, no], eventId: String(event.id) });
      }
      return { ...event, ...open, markets: markets.map((market) => ({ ...market, ...open })) };
    });
    catalog.importEvents(opened);
  }
  catalog.close();
  return made;
}

class Journal {
  readonly engine = new Engine({});
  readonly #input: AnalyticsFolderInput;
  readonly #folder: DataFolder;
  readonly #writer: JournalWriter;
  readonly #maker: SnapshotMaker;
  readonly #close: () => void;
  #builder = new BatchBuilder(1);
  #batched = 0;
  #last: { readonly durable: DurableCommand; readonly evidence: unknown } | undefined;
  seq = 0;

  constructor(input: AnalyticsFolderInput, folder: DataFolder) {
    this.#input = input;
    this.#folder = folder;
    const database = openJournal(folder.journal, true);
    prepareJournal(database, { funding: 'paper', streamId: 'bench' }, () => undefined);
    this.#writer = new JournalWriter(database);
    const pace = { everyMs: 0 };
    this.#maker = new SnapshotMaker({ folder: folder.snapshots, funding: 'paper', pace });
    this.#close = () => database.close();
  }

  apply(progress: number, command: Command): readonly EngineEvent[] {
    const seq = this.seq + 1;
    const timeMs = Math.floor(this.#input.untilMs - HISTORY_MS * (1 - progress));
    const events = this.engine.apply(seq, timeMs, command);
    if (!events.some(isChange)) return events;
    this.seq = seq;
    const durable = { seq, timeMs, command, events };
    const evidence = evidenceOf(command);
    this.#builder.add(durable, evidence);
    this.#maker.consume([durable]);
    this.#last = { durable, evidence };
    this.#batched += 1;
    const { batchCommands, batchFills } = STORE_BOUNDS;
    if (this.#batched === batchCommands || this.#builder.fillCount >= batchFills) this.flush();
    return events;
  }

  flush(): void {
    if (this.#batched > 0) this.#writer.write(this.#builder.build(), () => undefined);
    this.#builder = new BatchBuilder(this.seq + 1);
    this.#batched = 0;
  }

  close(): void {
    this.#snapshot();
    this.#close();
    this.#folder.release();
  }

  #snapshot(): void {
    if (this.#last === undefined) return;
    const { durable, evidence } = this.#last;
    const { seq, timeMs, command } = durable;
    const payload = writePayload(command, evidence);
    const checksum = commandChecksum(seq, timeMs, command.kind, payload);
    const details = { commandChecksum: checksum, deadlineMs: Number.POSITIVE_INFINITY };
    this.#maker.make(this.engine, { seq, timeMs }, details);
  }
}

function make(input: AnalyticsFolderInput): AnalyticsFolderOutput {
  const folder = new DataFolder({ dataDir: input.dataDir, temporary: false });
  const markets = makeCatalog(folder.catalog, input);
  const journal = new Journal(input, folder);
  const apply = (progress: number, command: Command) => journal.apply(progress, command);
  const generator = new AnalyticsGenerator(input, markets, apply);
  const beganMs = performance.now();
  const before = process.cpuUsage();
  generator.run();
  journal.flush();
  const journalMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(before);
  const journalWorkMs = (user + system) / 1_000;
  journal.close();
  return { commands: journal.seq, fills: generator.fills, journalMs, journalWorkMs };
}

answerParent(make(childInput<AnalyticsFolderInput>()));
