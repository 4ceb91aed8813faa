/**
 * A file that changes numbers of the crowd's model, by name. All keys are optional:
 *
 *     {"volatility": 0.2, "newsPerHour": 30}
 *
 * Invariant: an unknown key or a wrong value is refused with its place in the file.
 */
import { objectAt, onlyKnown, refuseAt } from '../../http/errors/index.ts';
import {
  CROWD_MODEL_LIMITS,
  type CrowdModel,
  DEFAULT_CROWD_MODEL,
} from '../../http/settings/index.ts';

// Safe: the keys of a constant.
const NAMES = Object.keys(CROWD_MODEL_LIMITS) as (keyof CrowdModel)[];

function numberAt(name: keyof CrowdModel, value: unknown): number {
  const [least, most] = CROWD_MODEL_LIMITS[name];
  const isWhole = name === 'levels';
  if (typeof value === 'number' && value >= least && value <= most) {
    if (!isWhole || Number.isInteger(value)) return value;
  }
  return refuseAt(name, value, `a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
}

/** Throws an `Error` that names the place of the first fault. */
export function parseCrowdModel(json: unknown): CrowdModel {
  const file = objectAt('the file', json);
  onlyKnown('the file', file, NAMES);
  const changed = NAMES.filter((name) => file[name] !== undefined);
  const changes = changed.map((name) => [name, numberAt(name, file[name])] as const);
  return { ...DEFAULT_CROWD_MODEL, ...Object.fromEntries(changes) };
}
