/**
 * Histories in which few accounts trade much in few markets over several days, so that positions
 * open, close, open again, are converted, merged and redeemed, with fees and delays. Two markets
 * have no event, four belong to a neg-risk event.
 */
import type { Command, CreateMarket, Holder, PlaceOrder } from '../../../../engine/index.ts';
import { Engine, isChange, lots, micros, ticks } from '../../../../engine/index.ts';
import { Random } from '../../../../http/codec/random.ts';
import type { DurableCommand } from '../../../../persistence/index.ts';
import { orderIdOf } from '../../store-fixture.ts';

const START_MS = Date.parse('2026-01-28T22:00:00Z');
const HOUR_MS = 3_600_000;
const EVENT = 'event';
const OWNERS = ['a1', 'b2', 'c3', 'd4'].map((two) => `0x${two.repeat(20)}`);
const CODE = `0x${'bb'.repeat(32)}`;
const CONDITIONS = [1, 2, 3, 4, 5, 6].map((number) => `0x${`e${number}`.repeat(32)}`);
const OF_EVENT = CONDITIONS.slice(2);

interface Life {
  readonly durable: readonly DurableCommand[];
  /** The holders of a resolved market at its resolution. */
  readonly holdersOf: (conditionId: string) => readonly Holder[];
  readonly engine: Engine;
}

export function denseLife(seed: number, count: number): Life {
  const random = new Random(seed);
  const engine = new Engine({ redemptionsPerCommand: 2 });
  const durable: DurableCommand[] = [];
  const holders = new Map<string, readonly Holder[]>();
  let timeMs = START_MS;
  const submit = (command: Command): void => {
    const seq = durable.length + 1;
    timeMs += random.chance(5) ? random.below(30 * HOUR_MS) : random.below(3_000);
    const events = engine.apply(seq, timeMs, engine.inputOf(command));
    for (const event of events) {
      if (event.kind !== 'market_resolved') continue;
      holders.set(event.conditionId, [...engine.holders(event.conditionId)]);
    }
    if (events.some(isChange)) durable.push({ seq, timeMs, command, events });
  };
  for (const command of beginning(seed)) submit(command);
  for (let number = 1; number <= count; number += 1) submit(draw(random, engine, number));
  for (const command of ending(random)) submit(command);
  return { durable, engine, holdersOf: (conditionId) => holders.get(conditionId) ?? [] };
}

function beginning(seed: number): Command[] {
  const builder = { takerRateBps: 40, makerRateBps: 15, shareBps: 1_000 };
  return [
    ...CONDITIONS.map((conditionId, index): CreateMarket => {
      const isOfEvent = OF_EVENT.includes(conditionId);
      return {
        kind: 'create_market',
        conditionId,
        tokenIds: [`${index}1`, `${index}2`],
        tickTicks: ticks(100),
        minimumLots: lots(1),
        minimumBudgetMicros: micros(1),
        negRisk: isOfEvent,
        eventId: isOfEvent ? EVENT : '',
        selfTrade: 'cancel_maker',
        takerFeeBps: index % 2 === seed % 2 ? 200 : 0,
        makerFeeBps: index % 3 === 0 ? 35 : 0,
        feeExponent: 1,
        delaySeconds: index % 4 === 1 ? 1 : 0,
        takerDelayMs: 0,
      };
    }),
    ...OWNERS.map(
      (owner): Command => ({
        kind: 'open_account',
        address: owner,
        owner,
        wallet: 'eoa',
        paperMicros: micros(100_000_000_000),
      }),
    ),
    { kind: 'set_builder', builder: CODE, account: OWNERS[3] ?? '', ...builder },
    { kind: 'open_event', eventId: EVENT, noneConditionId: '' },
  ];
}

function draw(random: Random, engine: Engine, number: number): Command {
  const owner = random.pick(OWNERS);
  const conditionId = random.pick(CONDITIONS);
  const by = { account: owner, owner, key: `key-${number}` };
  const percent = random.below(100);
  if (percent < 8) return { kind: 'split', conditionId, lots: lots(random.between(1, 40)), ...by };
  if (percent < 13) return { kind: 'merge', conditionId, lots: lots(random.between(1, 30)), ...by };
  if (percent < 20) {
    const conditionIds = OF_EVENT.filter(() => random.chance(60)).reverse();
    const size = lots(random.between(1, 12));
    return { kind: 'convert', eventId: EVENT, conditionIds, lots: size, ...by };
  }
  if (percent < 23) return { kind: 'advance_time' };
  if (percent < 30)
    return { kind: 'cancel_all', owner, conditionId: '', tokenId: '', step: { most: 1_000 } };
  return drawOrder(random, engine, number);
}

/** Sometimes the order sells all that the owner has, at any price. */
function drawOrder(random: Random, engine: Engine, number: number): PlaceOrder {
  const owner = random.pick(OWNERS);
  const tokenId = `${random.below(CONDITIONS.length)}${random.between(1, 2)}`;
  const all = engine.balance(owner, tokenId)?.available ?? 0;
  const isExit = all > 0 && random.chance(30);
  return {
    kind: 'place_order',
    orderId: orderIdOf(number),
    account: owner,
    owner,
    tokenId,
    side: isExit || random.chance(35) ? 'SELL' : 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks(isExit ? 100 : 100 * random.between(35, 65)),
    lots: lots(isExit ? all : random.between(1, 37)),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 0,
    earlyEndMs: 0,
    idCheckedSeq: Number.MAX_SAFE_INTEGER,
    apiKey: '00000000-0000-4000-8000-000000000001',
    ...(random.chance(40) ? { builder: CODE } : {}),
  };
}

/** One market pays in part, one all or nothing, the event's winner all; three owners redeem. */
function ending(random: Random): Command[] {
  const [first = '', second = ''] = CONDITIONS;
  const payoutTicks = ticks(random.pick([1, 3_333, 5_000, 9_999]));
  const later: Command[] = Array.from({ length: 12 }, () => ({ kind: 'advance_time' }));
  const redeemAll = random.chance(50);
  return [
    { kind: 'resolve_market', conditionId: first, payoutTicks, redeemAll: true },
    {
      kind: 'resolve_market',
      conditionId: second,
      payoutTicks: ticks(random.pick([0, 10_000])),
      redeemAll: false,
    },
    ...OWNERS.slice(0, 3).map(
      (owner): Command => ({
        kind: 'redeem',
        account: owner,
        owner,
        conditionId: second,
        key: 'redeem-second',
      }),
    ),
    { kind: 'resolve_event', eventId: EVENT, conditionId: random.pick(OF_EVENT), redeemAll },
    ...later,
  ];
}
