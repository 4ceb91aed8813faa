/**
 * Creates a planned event or market, whole or not at all: its record in the catalog, its markets in
 * the engine.
 *
 * Invariant: everything is checked before anything is written: the terms by a temporary engine, the
 * names by the catalog in the transaction that stores them. One plan runs at a time, from the
 * search for a stored plan to the last command, so a repeated request finds the finished plan. The
 * checks yield to the event loop between their parts.
 */

import { partsOf, type RefusedCommand, submitAll } from '../../../catalog/routes/index.ts';
import { BOUNDS, type Command, Engine } from '../../../engine/index.ts';
import { type CatalogPlan, checkNewMarket, type Exchange } from '../../../persistence/index.ts';
import {
  ApiError,
  commandRejectError,
  echo,
  overloadedBy,
  rejectIn,
  valueAt,
} from '../../errors/index.ts';
import { nextTurn } from '../../runtime/log.ts';
import type { Services } from '../../services/index.ts';
import { firstDifference, recordError } from '../shared/action-route.ts';
import type { Planned } from './event-plan.ts';
import { refusalWithin } from './event-request.ts';
import { COMMANDS_AT_ONCE, runPlan } from './run-plan.ts';

type Sources = Pick<Services, 'exchange' | 'registry'>;

export interface Creation extends Planned {
  readonly kind: 'event' | 'market';
  /** The path in the request body of the market that the command at `index` creates. */
  readonly pathOf: (index: number) => string;
  /** The ids in the request, to compare them with the stored ones. */
  readonly given: readonly GivenId[];
}

export interface GivenId {
  readonly field: string;
  readonly id: string;
  /** undefined for the id of the event. */
  readonly conditionId: string | undefined;
}

/** Settles when the last creation has ended. */
let lastCreation: Promise<unknown> = Promise.resolve();

/** Resolves with whether it already existed; rejects with the `ApiError` of a refusal. */
export function createPlanned(creation: Creation, sources: Sources): Promise<boolean> {
  const created = lastCreation.then(() => createNext(creation, sources));
  // The next creation starts even if this one fails.
  lastCreation = created.catch(() => undefined);
  return created;
}

async function createNext(creation: Creation, sources: Sources): Promise<boolean> {
  const { exchange } = sources;
  const { lookup } = exchange.catalog;
  const { plan } = creation;
  const raise = (refused: RefusedCommand): never => {
    throw refusalOf(refused, creation);
  };
  await withBodyNames(() => check(creation, exchange));
  if (lookup.plan(plan.name) === undefined) {
    await dryRun(plan.commands, raise);
    await nextTurn();
    // Markets that the engine has but the catalog lost: the engine refuses other terms than theirs.
    const lost = plan.commands.filter(
      (command) => command.kind === 'create_market' && lookup.isPlaceholder(command.conditionId),
    );
    if (lost.length > 0) (await submitAll(exchange, lost, plan.evidence)).forEach(raise);
  }
  const known = lookup.plan(plan.name) ?? (await store(creation, sources));
  if (known !== undefined) checkSame(creation, known, exchange);
  const refused = await runPlan(exchange, known ?? plan);
  if (refused !== undefined) raise(refused);
  return known !== undefined;
}

/** Checks the form of the record: of an event, which may have many markets, in another thread. */
async function check({ kind, record, plan }: Creation, { catalog }: Exchange): Promise<void> {
  if (kind === 'event') {
    await catalog.write.checkEvent({ record });
    return;
  }
  const { eventId } = plan;
  const parent = catalog.lookup.eventKind(eventId);
  if (parent === undefined) throw new ApiError('event_unknown', { field: 'event_id' });
  checkNewMarket(record, { eventId, creator: parent.creator, isNegRisk: parent.negRisk });
}

/** Stores the record and its plan, or returns the plan of that name that is already stored. */
function store({ kind, record, plan }: Creation, sources: Sources) {
  const { write } = sources.exchange.catalog;
  checkRoom(plan, sources);
  return withBodyNames(() =>
    kind === 'event' ? write.addEvent({ record, plan }) : write.addMarket({ record, plan }),
  );
}

/** Runs the commands on a temporary engine, and raises the first one that it refuses. */
async function dryRun(commands: readonly Command[], raise: (refused: RefusedCommand) => never) {
  const engine = new Engine({}, { reserveOrders: 32 });
  let seq = 0;
  for (const part of partsOf(commands, COMMANDS_AT_ONCE)) {
    await nextTurn();
    for (const command of part) {
      seq += 1;
      const rejected = rejectIn(engine.apply(seq, 0, engine.inputOf(command)));
      if (rejected !== undefined) raise({ rejected, command });
    }
  }
}

/**
 * Refuses a plan for which the exchange has no room, so that no single command is refused later.
 */
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
  const count = exchange.catalog.lookup.eventKind(eventId)?.marketCount ?? 0;
  if (count + fresh.length > BOUNDS.marketsPerEvent) {
    const details = { field: 'markets', limit: BOUNDS.marketsPerEvent, actual: count };
    throw new ApiError('event_malformed', details);
  }
  const isSealed = registry.marketsOfEvent(`${eventId}`).length > 0;
  if (isSealed && fresh.length > 0) {
    throw new ApiError('event_sealed', { field: 'event_id', actual: `${eventId}` });
  }
}

/** Rethrows a refusal of the catalog with the field names of the body. */
async function withBodyNames<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw recordError(error, 'event_exists', ({ path }) => fieldOf(path));
  }
}

/** Body fields by their names in records and engine refusals, where these differ. */
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

/** Throws `event_exists` for a request that differs from the stored one. */
function checkSame({ plan, given }: Creation, stored: CatalogPlan, exchange: Exchange): void {
  // The stored request was written as JSON, so both are compared in that form.
  const requested: unknown = JSON.parse(JSON.stringify(plan.request));
  const field = firstDifference(requested, stored.request);
  if (field !== undefined) {
    const steps = field.split('.');
    throw new ApiError('event_exists', {
      field,
      limit: echo(valueAt(stored.request, steps)),
      actual: echo(valueAt(requested, steps)),
    });
  }
  for (const { field, id, conditionId } of given) {
    const limit =
      conditionId === undefined
        ? `${stored.eventId}`
        : exchange.catalog.lookup.marketByCondition(conditionId)?.id;
    if (id !== limit) throw new ApiError('event_exists', { field, limit, actual: echo(id) });
  }
}

function isOf(command: Command, conditionId: string): boolean {
  return command.kind === 'create_market' && command.conditionId === conditionId;
}

function refusalOf({ rejected, command }: RefusedCommand, { plan, pathOf }: Creation): ApiError {
  const error = commandRejectError(rejected);
  if (command.kind !== 'create_market') return error;
  const { field } = error.details;
  const renamed = new ApiError(error.code, { ...error.details, field: fieldOf(String(field)) });
  const path = pathOf(plan.commands.findIndex((one) => isOf(one, command.conditionId)));
  return path === '' ? renamed : refusalWithin(path, renamed);
}
