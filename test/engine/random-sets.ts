/**
 * Random commands that turn cash into tokens and back, by owners for themselves and by the operator
 * for anybody: about what the account has, so that they succeed as often as they fail.
 */
import type { Merge, Redeem, Split } from '../../engine/index.ts';
import { lots } from '../../engine/index.ts';
import { spoilKeyed, spoilSets } from './random-faults.ts';
import type { LifeScene } from './random-life.ts';

/** Few enough that keys are used again. */
const KEYS = 400;

/** Somebody's account, who acts for it, and a key. */
export function randomActing({ random, seen }: LifeScene) {
  const [account, { owner }] = random.pick([...seen.accounts]);
  const isOperator = random.chance(20);
  return { account, owner: isOperator ? '' : owner, key: `key-${random.below(KEYS)}` };
}

/** Mostly of a resolved market that the account has tokens of. */
export function randomRedemption(scene: LifeScene): Redeem {
  const { random, seen, isFaulty } = scene;
  const acting = randomActing(scene);
  const markets = [...seen.markets.values()];
  const resolved = markets.filter(({ conditionId }) => seen.stateOf(conditionId) === 'resolved');
  const held = seen.accounts.get(acting.account)?.tokens;
  const owned = resolved.filter((market) => market.tokenIds.some((id) => (held?.get(id) ?? 0) > 0));
  const from =
    random.chance(80) && owned.length > 0 ? owned : random.chance(50) ? resolved : markets;
  const { conditionId } = random.pick(from.length > 0 ? from : markets);
  const command: Redeem = { kind: 'redeem', ...acting, conditionId };
  if (!isFaulty) return command;
  return random.chance(70) ? spoilKeyed(random, command) : { ...command, conditionId: 'unknown' };
}

export function randomSets(scene: LifeScene): Split | Merge {
  const { random, seen, isFaulty } = scene;
  const acting = randomActing(scene);
  const markets = [...seen.markets.values()];
  // Of neg-risk events more often, so that there is something to convert.
  const negRisk = markets.filter((market) => seen.events.has(market.eventId));
  const from = negRisk.length > 0 && random.chance(50) ? negRisk : markets;
  const { conditionId, tokenIds } = random.pick(from);
  const held = seen.accounts.get(acting.account);
  const kind = random.pick(['split', 'merge'] as const);
  const tokens = tokenIds.map((tokenId) => held?.tokens.get(tokenId) ?? 0);
  const most = kind === 'split' ? (held?.cashMicros ?? 0) / 10_000 : Math.min(...tokens);
  const size = random.chance(20) ? Math.floor(most) : random.below(most / 4);
  const command = { kind, ...acting, conditionId, lots: lots(size + random.below(2)) };
  return isFaulty ? spoilSets(random, command) : command;
}
