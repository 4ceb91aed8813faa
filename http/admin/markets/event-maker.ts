/**
 * Makes events and markets of them, whole or not at all: words into the catalog, trading terms into
 * journaled commands, which carry who asked for it and why.
 *
 * Invariant: everything is judged before anything is written: terms by an engine of its own that is
 * thrown away, names by the catalog within the transaction that stores them. One is made at a time,
 * each from the look for a known plan to the last command: the next one finds it done. What is
 * judged on this thread has turns of its own.
 */
import { BOUNDS, type Command, Engine } from '../../../engine/index.ts';
import {
  CatalogImportError,
  type CatalogPlan,
  checkNewEvent,
  checkNewMarket,
  type Exchange,
} from '../../../persistence/index.ts';
import { nextTurn } from '../../api/index.ts';
import { ApiError, commandRejectError, echo, overloadedBy } from '../../errors/index.ts';
import type { Services } from '../../services/index.ts';
import { firstDifference } from '../shared/index.ts';
import { carryOut, type RefusedCommand, submitAll } from './carry-out.ts';
import { refusalWithin } from './event-input.ts';
import type { Planned } from './event-plan.ts';

type Sources = Pick<Services, 'exchange' | 'registry'>;

export interface Making extends Planned {
  /** What it adds; an event comes with its markets. */
  readonly kind: 'event' | 'market';
  /** Where the body has the market of the n-th command. */
  readonly pathOf: (place: number) => string;
  /** Ids that the request gives, each with its field, to be compared with those stored. */
  readonly given: readonly GivenId[];
}

export interface GivenId {
  readonly field: string;
  readonly id: string;
  /** undefined for the event's. */
  readonly conditionId: string | undefined;
}

/** Those that are made by now, or will be. */
let lastMade: Promise<unknown> = Promise.resolve();

/** Resolves with whether it was made before; throws the `ApiError` of what is refused. */
export function make(making: Making, sources: Sources): Promise<boolean> {
  const made = lastMade.then(() => makeNext(making, sources));
  // Whatever becomes of it, the next one has its turn.
  lastMade = made.catch(() => undefined);
  return made;
}

async function makeNext(making: Making, sources: Sources): Promise<boolean> {
  const { exchange } = sources;
  const { look } = exchange.catalog;
  const { plan } = making;
  const raise = (refused: RefusedCommand): never => {
    throw refusalOf(refused, making);
  };
  await named(() => check(making, exchange));
  if (look.plan(plan.name) === undefined) {
    await nextTurn();
    rehearse(plan.commands, raise);
    await nextTurn();
    // Its words were lost with an old catalog: its terms have to be those that it has.
    const lost = plan.commands.filter(
      (command) => command.kind === 'create_market' && look.isLost(command.conditionId),
    );
    if (lost.length > 0) (await submitAll(exchange, lost, plan.evidence)).forEach(raise);
  }
  const known = look.plan(plan.name) ?? (await store(making, sources));
  if (known !== undefined) checkSame(making, known, exchange);
  const refused = await carryOut(exchange, known ?? plan);
  if (refused !== undefined) raise(refused);
  return known !== undefined;
}

/** Whether the record is of the right form, whatever is stored. */
function check({ kind, record, plan }: Making, { catalog }: Exchange): void {
  if (kind === 'event') checkNewEvent(record);
  else {
    const { eventId } = plan;
    const parent = catalog.look.eventKind(eventId);
    if (parent === undefined) throw new ApiError('event_unknown', { field: 'event_id' });
    checkNewMarket(record, { eventId, creator: parent.creator, isNegRisk: parent.negRisk });
  }
}

/** The plan of that name, where there is one after all: nothing was stored then. */
function store({ kind, record, plan }: Making, sources: Sources) {
  const { write } = sources.exchange.catalog;
  checkRoom(plan, sources);
  return named(() =>
    kind === 'event' ? write.addEvent({ record, plan }) : write.addMarket({ record, plan }),
  );
}

/** What the engine refuses of a plan whatever else there is. */
function rehearse(commands: readonly Command[], raise: (refused: RefusedCommand) => never) {
  const engine = new Engine({}, { reserveOrders: 32 });
  commands.forEach((command, index) => {
    const events = engine.apply(index + 1, 0, command);
    const rejected = events.find((event) => event.kind === 'rejected');
    if (rejected !== undefined) raise({ rejected, command });
  });
}

/** What the exchange has no room for now; after it, no command of the plan is refused for that. */
function checkRoom({ eventId, commands }: CatalogPlan, { exchange, registry }: Sources): void {
  const { isAccepting, waitingCount, waitingLimit } = exchange.health();
  if (!isAccepting) throw new ApiError('service_not_ready');
  if (waitingCount + commands.length > waitingLimit) {
    throw overloadedBy('waitingCommands', waitingLimit, waitingCount);
  }
  const ids = commands.flatMap((command) =>
    command.kind === 'create_market' ? [command.conditionId] : [],
  );
  const fresh = ids.filter((id) => registry.market(id) === undefined);
  const { markets: actual } = registry.counts;
  const limit = BOUNDS.markets;
  if (actual + fresh.length > limit) throw new ApiError('too_many_markets', { limit, actual });
  const count = exchange.catalog.look.eventKind(eventId)?.marketCount ?? 0;
  if (count + fresh.length > BOUNDS.marketsPerEvent) {
    const details = { field: 'markets', limit: BOUNDS.marketsPerEvent, actual: count };
    throw new ApiError('event_malformed', details);
  }
  const isSealed = registry.marketsOfEvent(`${eventId}`).length > 0;
  if (isSealed && fresh.length > 0) {
    throw new ApiError('event_sealed', { field: 'event_id', actual: `${eventId}` });
  }
}

/** What the catalog refuses, in the names of the body. */
async function named<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const first = error instanceof CatalogImportError ? error.refusals[0] : undefined;
    if (!(error instanceof CatalogImportError) || first === undefined) throw error;
    const { path, limit, actual } = first;
    const code = error.kind === 'conflict' ? 'event_exists' : 'invalid_payload';
    throw new ApiError(code, { field: fieldOf(path), limit, actual });
  }
}

/** What a record, or a refusal of the engine, calls otherwise than the body. */
const BODY_NAMES: ReadonlyMap<string, string> = new Map([
  ['orderPriceMinTickSize', 'tick_size'],
  ['orderMinSize', 'minimum_order_size'],
  ['condition_id', 'conditionId'],
  ['tokenIds', 'clobTokenIds'],
]);

/** `$[0].markets[3].slug` as `markets.3.slug`. */
function fieldOf(path: string): string {
  return path
    .replace(/^\$(\[0\])?\.?/, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/\w+$/, (name) => BODY_NAMES.get(name) ?? name);
}

/** Throws `event_exists` for what is asked for otherwise than it was made. */
function checkSame({ plan, given }: Making, stored: CatalogPlan, exchange: Exchange): void {
  // As JSON holds it, like the stored one.
  const asked: unknown = JSON.parse(JSON.stringify(plan.request));
  const field = firstDifference(asked, stored.request);
  if (field !== undefined) {
    throw new ApiError('event_exists', {
      field,
      limit: echo(valueAt(stored.request, field)),
      actual: echo(valueAt(asked, field)),
    });
  }
  for (const { field, id, conditionId } of given) {
    const limit =
      conditionId === undefined
        ? `${stored.eventId}`
        : exchange.catalog.look.marketByCondition(conditionId)?.id;
    if (id !== limit) throw new ApiError('event_exists', { field, limit, actual: echo(id) });
  }
}

function valueAt(root: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(
    // Safe: every object can be read by any name; what is not there is undefined.
    (value, step) => (value as Readonly<Record<string, unknown>> | undefined)?.[step],
    root,
  );
}

function isOf(command: Command, conditionId: string): boolean {
  return command.kind === 'create_market' && command.conditionId === conditionId;
}

function refusalOf({ rejected, command }: RefusedCommand, { plan, pathOf }: Making): ApiError {
  const error = commandRejectError(rejected);
  if (command.kind !== 'create_market') return error;
  const { field } = error.details;
  const named = new ApiError(error.code, { ...error.details, field: fieldOf(String(field)) });
  const path = pathOf(plan.commands.findIndex((one) => isOf(one, command.conditionId)));
  return path === '' ? named : refusalWithin(path, named);
}
