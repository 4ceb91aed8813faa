/**
 * One data folder over many starts and ends of an exchange, and all answers that its clients got. A
 * start checks the answers to the last clients. A load runs clients until the caller ends the
 * exchange, then checks the journal.
 *
 * Invariant: a check covers all answers since the previous check.
 */
import { fileURLToPath } from 'node:url';
import { Random } from '../../http/codec/random.ts';
import { sendTo } from '../http/exchange-fixture.ts';
import { type Checked, checkJournal, checkRetries, checkRunning, checkSwitches } from './checks.ts';
import { Clients } from './clients.ts';
import { type ChildOptions, type ExchangeChild, startChild } from './exchange-child.ts';
import { compactFolder, verifyFolder } from './folder-tools.ts';
import { Listeners } from './listeners.ts';
import { Scene } from './scene.ts';
import { Told } from './told.ts';
import { Witness } from './witness.ts';

const DEPOSIT = '100000';
/** The sets that each trader gets in each market of the neg-risk event, to convert them. */
const EVENT_SETS = '200';
const WHO_AND_WHY = { by: 'faults', reason: 'start' };
/** A start with ledger funding has an empty catalog unless it is given one. */
const CATALOG = fileURLToPath(new URL('../../catalog/builtin/events.json', import.meta.url));
const FLAGS = [
  ...['--log-level', 'warn', '--rate-limits', 'off', '--snapshot-seconds', '1'],
  ...['--heartbeat-window-seconds', '1'],
];

export interface CampaignOptions {
  readonly dataDir: string;
  readonly funding: 'paper' | 'ledger';
}

/** Figures of one load. */
export interface LoadFigures {
  /** Commands that were acknowledged. */
  readonly acknowledged: number;
  readonly answered: number;
  readonly unanswered: number;
  /** Messages of streams. */
  readonly messages: number;
  /** States of orders, balances and books that clients were shown. */
  readonly shown: number;
  /** Commands in the journal that were never acknowledged to a client. */
  readonly doneUntold: number;
  /** The last command of the journal. */
  readonly seq: number;
}

export class Campaign {
  readonly dataDir: string;
  readonly #flags: readonly string[];
  readonly #funding: CampaignOptions['funding'];
  readonly #scene = new Scene();
  #witness: Witness | undefined;
  #told = new Told();
  #loads = 0;

  constructor({ dataDir, funding }: CampaignOptions) {
    this.dataDir = dataDir;
    this.#funding = funding;
    this.#flags = [...FLAGS, '--funding', funding, '--catalog', CATALOG];
  }

  /** Options to start an exchange on the folder. */
  childOptions(changes: Partial<ChildOptions> = {}): ChildOptions {
    return { dataDir: this.dataDir, flags: this.#flags, ...changes };
  }

  /** Starts an exchange and checks all answers that clients got before. */
  async start(): Promise<ExchangeChild> {
    const { child, line } = await startChild(this.childOptions());
    try {
      this.#scene.moveTo(child, line);
      if (this.#witness === undefined) await this.#settle();
      const checked = this.#checked(new Random(this.#loads));
      await checkSwitches(checked);
      await checkRunning(checked);
      await checkRetries(checked);
    } catch (error) {
      await child.kill();
      throw new Error(`after a start: ${messageOf(error)}\n${child.log}`, { cause: error });
    }
    this.#told = new Told();
    this.#witness?.forget();
    return child;
  }

  /** Starts an exchange with other options. The next `start` checks the answers from before. */
  async startUnder(changes: Partial<ChildOptions>): Promise<ExchangeChild> {
    const { child, line } = await startChild(this.childOptions(changes));
    this.#scene.moveTo(child, line);
    return child;
  }

  /** Runs clients until `end` has ended the exchange, then checks its journal. */
  async load(child: ExchangeChild, seed: number, end: () => Promise<void>): Promise<LoadFigures> {
    this.#loads += 1;
    const listeners = new Listeners(this.#scene);
    await listeners.open();
    const clients = this.#clients(new Random(seed));
    const loaded = clients.run();
    await end();
    clients.stop();
    await loaded;
    await child.ended;
    listeners.note(this.#told);
    await this.check();
    return this.#figures();
  }

  /** Compares the journal with the answers while no exchange runs. */
  async check(): Promise<void> {
    const checked = this.#checked(new Random(0));
    checked.witness.catchUp();
    checkJournal(checked);
    await verifyFolder(this.dataDir);
  }

  /** Starts an exchange again, checks the last answers, compacts the folder, stops cleanly. */
  async finish(): Promise<void> {
    const child = await this.start();
    await compactFolder(this.dataDir);
    const { code } = await child.stop();
    if (code !== 0) throw new Error(`it stopped with ${code}: ${child.log}`);
    await this.check();
  }

  #clients(random: Random): Clients {
    const name = `${Date.now()}-${this.#loads}`;
    return new Clients(this.#scene, this.#told, { seed: random.next(), name });
  }

  #checked(random: Random): Checked {
    const witness = this.#witness;
    if (witness === undefined) throw new Error('a campaign begins with a start');
    return { scene: this.#scene, witness, told: this.#told, clients: this.#clients(random) };
  }

  /** After the first start: opens the event and gives traders keys, cash and sets. */
  async #settle(): Promise<void> {
    const { traders, addresses } = this.#scene;
    await this.#scene.findMarkets();
    const { eventId, markets: eventMarkets } = this.#scene.event;
    await this.#operate(`/events/${eventId}/open`, {});
    for (const trader of traders) {
      await trader.login();
      const { address } = trader;
      if (this.#funding === 'ledger') {
        const deposit = { account: address, amount: DEPOSIT, key: `first-${address}` };
        await this.#operate('/deposits', deposit);
      }
      for (const { conditionId: market } of eventMarkets) {
        const split = { market, amount: EVENT_SETS, key: `first-${market}` };
        const { status, text } = await trader.signed('POST', '/sets/split', split);
        if (status !== 200) throw new Error(`the first split: ${text}`);
      }
    }
    const { markets, tokenIds } = this.#scene;
    this.#witness = new Witness(this.dataDir, {
      addresses,
      tokenIds: ['', ...tokenIds],
      conditionIds: markets.map(({ conditionId }) => conditionId),
    });
    this.#witness.catchUp();
    this.#witness.forget();
  }

  async #operate(path: string, body: object): Promise<void> {
    const { adminUrl, adminToken } = this.#scene.place;
    const { status, text } = await sendTo(adminUrl, 'POST', path, {
      headers: { authorization: `Bearer ${adminToken}` },
      body: JSON.stringify({ ...WHO_AND_WHY, ...body }),
    });
    if (status !== 200) throw new Error(`${path}: ${text}`);
  }

  #doneUntold(): number {
    const orders = this.#told.unknownOrders().filter(({ orderId }) => {
      return this.#witness?.orders.has(orderId);
    });
    const moves = this.#told.unknownMoves().filter(({ key }) => this.#witness?.moves.has(key));
    return orders.length + moves.length;
  }

  #figures(): LoadFigures {
    const told = this.#told;
    return {
      acknowledged: told.acknowledgedCount(),
      answered: told.answered,
      unanswered: told.unanswered,
      messages: told.messages,
      shown: told.shownOrders.length + told.shownBalances.length + told.shownBooks.size,
      doneUntold: this.#doneUntold(),
      seq: this.#witness?.seq ?? 0,
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
