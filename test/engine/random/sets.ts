/**
 * Random splits, merges and redemptions, by owners and by the operator. Sizes are about what the
 * account has, so that they often succeed and often fail.
 */
import type { Merge, Redeem, Split } from '../../../engine/index.ts';
import { lots } from '../../../engine/index.ts';
import type { SeenAccount } from './event-observer.ts';
import { spoilKeyed, spoilSets } from './faults.ts';
import type { LifeScene } from './operator.ts';

/** An account, the owner or operator who acts for it, and an idempotency key. */
export function randomActing({ random, seen, size }: LifeScene) {
  const [account, { owner }] = random.pick([...seen.accounts]);
  const isOperator = random.chance(20);
  return { account, owner: isOperator ? '' : owner, key: `key-${random.below(size.setKeys)}` };
}

/** In the CROWD scene, mostly replaces the account by one that has the necessary assets. */
export function ableActing(
  { random, seen, size }: LifeScene,
  acting: ReturnType<typeof randomActing>,
  isAble: (account: SeenAccount) => boolean,
): ReturnType<typeof randomActing> {
  if (size.able === 0 || !random.chance(size.able)) return acting;
  const able = [...seen.accounts].filter(([, account]) => isAble(account));
  if (able.length === 0) return acting;
  const [account, { owner }] = random.pick(able);
  return { ...acting, account, owner: acting.owner === '' ? '' : owner };
}

/** Redeems mostly in a resolved market of which the account has tokens. */
export function randomRedemption(scene: LifeScene): Redeem {
  const { random, seen, markets, isFaulty } = scene;
  const anyActing = randomActing(scene);
  const resolved = markets.filter(({ conditionId }) => seen.stateOf(conditionId) === 'resolved');
  const acting = ableActing(scene, anyActing, ({ tokens }) =>
    resolved.some(({ tokenIds }) => tokenIds.some((id) => (tokens.get(id) ?? 0) > 0)),
  );
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
  const { random, seen, markets, isFaulty } = scene;
  const anyActing = randomActing(scene);
  // More often in neg-risk events, so that there are tokens to convert.
  const negRisk = markets.filter((market) => seen.events.has(market.eventId));
  const from = negRisk.length > 0 && random.chance(50) ? negRisk : markets;
  const { conditionId, tokenIds } = random.pick(from);
  const kind = random.pick(['split', 'merge'] as const);
  const acting = ableActing(scene, anyActing, ({ tokens, cashMicros }) =>
    kind === 'split' ? cashMicros > 0 : tokenIds.every((id) => (tokens.get(id) ?? 0) > 0),
  );
  const held = seen.accounts.get(acting.account);
  const tokens = tokenIds.map((tokenId) => held?.tokens.get(tokenId) ?? 0);
  const most = kind === 'split' ? (held?.cashMicros ?? 0) / 10_000 : Math.min(...tokens);
  const size = random.chance(20) ? Math.floor(most) : random.below(most / 4);
  const command = { kind, ...acting, conditionId, lots: lots(size + random.below(2)) };
  return isFaulty ? spoilSets(random, command) : command;
}
