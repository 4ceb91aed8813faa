/** Random commands about neg-risk events: opening, conversion by holders of NO, and resolution. */
import type {
  Convert,
  CreateMarket,
  EventState,
  OpenEvent,
  ResolveEvent,
} from '../../../engine/index.ts';
import { lots } from '../../../engine/index.ts';
import { badNumber, spoilKeyed } from './faults.ts';
import type { LifeScene } from './operator.ts';
import { idsOf } from './operator.ts';
import { ableActing, randomActing } from './sets.ts';

/** The markets of an event, most often of a neg-risk event. */
function randomFamily({ random, markets }: LifeScene): CreateMarket[] {
  const negRisk = markets.filter((market) => market.negRisk && market.eventId !== '');
  const { eventId } = random.pick(negRisk.length > 0 && random.chance(85) ? negRisk : markets);
  return markets.filter((market) => market.eventId === eventId);
}

export function randomOpening(scene: LifeScene): OpenEvent {
  const { random, isFaulty } = scene;
  const family = randomFamily(scene);
  const ids = family.map(({ conditionId }) => conditionId);
  return {
    kind: 'open_event',
    eventId: isFaulty ? 'nothing' : (family[0]?.eventId ?? ''),
    noneConditionId: random.pick(['', '', ...ids, random.chance(10) ? 'another' : '']),
  };
}

/** The opened events of the markets in play. */
function eventsOf({ seen, markets }: LifeScene): EventState[] {
  const ids = new Set(markets.map(({ eventId }) => eventId));
  return [...seen.events.values()].filter(({ eventId }) => ids.has(eventId));
}

/** Converts mostly NO tokens that the account has. */
export function randomConversion(scene: LifeScene): Convert {
  const { random, seen, isFaulty } = scene;
  const opened = eventsOf(scene);
  const live = opened.filter(({ winner }) => winner === null);
  const from = live.length > 0 && random.chance(90) ? live : opened;
  const family = randomFamily(scene);
  const event =
    from.length > 0 && random.chance(95)
      ? random.pick(from)
      : { eventId: family[0]?.eventId ?? '', conditionIds: family.map((one) => one.conditionId) };
  const acting = ableActing(scene, randomActing(scene), ({ tokens: theirs }) =>
    event.conditionIds.some((id) => (theirs.get(noOf(scene, id)) ?? 0) > 0),
  );
  const tokens = seen.accounts.get(acting.account)?.tokens;
  const owned = (conditionId: string): number => tokens?.get(noOf(scene, conditionId)) ?? 0;
  const rich = event.conditionIds.filter((conditionId) => owned(conditionId) > 0);
  const choice = rich.length > 0 && random.chance(90) ? rich : event.conditionIds;
  const conditionIds = choice.filter(() => random.chance(70));
  const most = Math.min(...conditionIds.map(owned));
  const size = conditionIds.length === 0 ? 0 : random.below(most) + random.below(2);
  const { eventId } = event;
  const base = { kind: 'convert', ...acting, eventId, lots: lots(size) } as const;
  const command: Convert = { ...base, conditionIds: shuffled(scene, conditionIds) };
  return isFaulty ? spoilConversion(scene, command) : command;
}

function noOf({ seen }: LifeScene, conditionId: string): string {
  return seen.markets.get(conditionId)?.tokenIds[1] ?? '';
}

function shuffled({ random }: LifeScene, ids: readonly string[]): string[] {
  const keyed = ids.map((id) => ({ id, key: random.next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ id }) => id);
}

function spoilConversion({ random }: LifeScene, command: Convert): Convert {
  const [first = 'unknown'] = command.conditionIds;
  return random.pick<() => Convert>([
    () => spoilKeyed(random, command),
    () => ({ ...command, lots: lots(badNumber(random)) }),
    () => ({ ...command, eventId: 'nothing' }),
    () => ({ ...command, conditionIds: [...command.conditionIds, first] }),
    () => ({ ...command, conditionIds: [first, 'unknown'] }),
    () => ({ ...command, conditionIds: Array.from({ length: 40 }, () => first) }),
  ])();
}

/** At least two markets stay open, so that trading goes on. */
export function randomWinner(scene: LifeScene): ResolveEvent {
  const { random, seen, isFaulty } = scene;
  const open = idsOf(scene.markets).filter((id) => seen.stateOf(id) === 'open');
  const leavesTwoOpen = ({ conditionIds }: { conditionIds: readonly string[] }): boolean =>
    open.filter((conditionId) => !conditionIds.includes(conditionId)).length >= 2;
  const events = eventsOf(scene)
    .filter(leavesTwoOpen)
    .filter(({ winner, bundlesLots }) => {
      // Mostly after a conversion.
      return random.chance(winner !== null ? 50 : bundlesLots > 0 ? 25 : 2);
    });
  const event = events.length > 0 && !isFaulty ? random.pick(events) : undefined;
  const [market] = randomFamily(scene);
  return {
    kind: 'resolve_event',
    eventId: event?.eventId ?? (market?.negRisk === true ? 'nothing' : (market?.eventId ?? '')),
    conditionId: random.chance(5) ? 'another' : random.pick(event?.conditionIds ?? ['another']),
    redeemAll: random.chance(50),
  };
}
