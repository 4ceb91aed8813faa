/**
 * Random commands that turn cash into tokens and back, by owners for themselves and by the operator
 * for anybody: about what the account has, so that they succeed as often as they fail.
 */
import type { Merge, Split } from '../../engine/index.ts';
import { lots } from '../../engine/index.ts';
import { spoilSets } from './random-faults.ts';
import type { LifeScene } from './random-life.ts';

/** Few enough that keys are used again. */
const KEYS = 400;

/** Somebody's account, who acts for it, and a key. */
function randomActing({ random, seen }: LifeScene) {
  const [account, { owner }] = random.pick([...seen.accounts]);
  const isOperator = random.chance(20);
  return { account, owner: isOperator ? '' : owner, key: `key-${random.below(KEYS)}` };
}

export function randomSets(scene: LifeScene): Split | Merge {
  const { random, seen, isFaulty } = scene;
  const acting = randomActing(scene);
  const { conditionId, tokenIds } = random.pick([...seen.markets.values()]);
  const held = seen.accounts.get(acting.account);
  const kind = random.pick(['split', 'merge'] as const);
  const tokens = tokenIds.map((tokenId) => held?.tokens.get(tokenId) ?? 0);
  const most = kind === 'split' ? (held?.cashMicros ?? 0) / 10_000 : Math.min(...tokens);
  const size = random.chance(20) ? Math.floor(most) : random.below(most / 4);
  const command = { kind, ...acting, conditionId, lots: lots(size + random.below(2)) };
  return isFaulty ? spoilSets(random, command) : command;
}
