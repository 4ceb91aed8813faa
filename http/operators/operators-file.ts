/**
 * The file of operators (`--operators`): their names, the hashes of their tokens, and their roles.
 *
 *     {
 *       "operators": [
 *         {"name": "alice", "roles": ["admin"], "tokenHashes": ["64 hex digits: SHA-256"]}
 *       ],
 *       "resolutionsNeedTwo": false
 *     }
 *
 * Invariant: an unknown key or a wrong value is refused with its place in the file. Names and
 * hashes are unique. Errors repeat no hash.
 */
import { listAt, objectAt, onlyKnown, refuseAt } from '../errors/index.ts';
import {
  OPERATOR_ROLES,
  type Operator,
  type OperatorList,
  type OperatorRole,
  permits,
} from './operator-gate.ts';

/** Maximums of the file. */
const MAXIMUMS = { operators: 100, tokens: 4 } as const;
/** Fits `by` of an action. `clock` names what the exchange does by itself. */
const NAME_FORM = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]{0,127}$/u;
const RESERVED_NAMES: readonly unknown[] = ['clock'];
const HASH_FORM = /^[0-9a-f]{64}$/i;

function nameAt(place: string, value: unknown): string {
  if (typeof value === 'string' && NAME_FORM.test(value) && !RESERVED_NAMES.includes(value)) {
    return value;
  }
  return refuseAt(
    place,
    value,
    '1 to 128 printable characters that begin with a letter or digit, and not "clock"',
  );
}

function roleAt(place: string, value: unknown): OperatorRole {
  const known = OPERATOR_ROLES.find((role) => role === value);
  return known ?? refuseAt(place, value, `one of ${OPERATOR_ROLES.join(', ')}`);
}

function digestAt(place: string, value: unknown): Buffer {
  if (typeof value === 'string' && HASH_FORM.test(value)) return Buffer.from(value, 'hex');
  // Not repeated: it may be the token itself.
  throw new Error(`${place} must be the SHA-256 of a token, as 64 hex digits`);
}

function operatorAt(place: string, value: unknown): Operator {
  const entry = objectAt(place, value);
  onlyKnown(place, entry, ['name', 'roles', 'tokenHashes']);
  const roles = listAt(`${place}.roles`, entry.roles, OPERATOR_ROLES.length);
  const hashes = listAt(`${place}.tokenHashes`, entry.tokenHashes, MAXIMUMS.tokens);
  return {
    name: nameAt(`${place}.name`, entry.name),
    roles: roles.map((role, index) => roleAt(`${place}.roles[${index}]`, role)),
    digests: hashes.map((hash, index) => digestAt(`${place}.tokenHashes[${index}]`, hash)),
  };
}

/** Throws if two operators would be one person, or one token two persons. */
function checkUnique(operators: readonly Operator[]): void {
  const seen = new Map<string, string>();
  for (const [index, { name, digests }] of operators.entries()) {
    const keys = [
      [`name ${name}`, 'name'],
      ...digests.map((digest) => [digest.toString('hex'), 'token hash']),
    ] as const;
    for (const [key = '', what = ''] of keys) {
      const earlier = seen.get(key);
      const place = `operators[${index}]`;
      if (earlier !== undefined) throw new Error(`${place} has a ${what} of ${earlier}`);
      seen.set(key, place);
    }
  }
}

/** Throws an `Error` that names the place of the first fault. */
export function parseOperators(json: unknown): OperatorList {
  const file = objectAt('the file', json);
  onlyKnown('the file', file, ['operators', 'resolutionsNeedTwo']);
  const { resolutionsNeedTwo = false } = file;
  const entries = listAt('operators', file.operators, MAXIMUMS.operators);
  const operators = entries.map((entry, index) => operatorAt(`operators[${index}]`, entry));
  checkUnique(operators);
  if (typeof resolutionsNeedTwo !== 'boolean') {
    return refuseAt('resolutionsNeedTwo', resolutionsNeedTwo, 'true or false');
  }
  const resolvers = operators.filter(({ roles }) => permits(roles, 'markets')).length;
  if (resolutionsNeedTwo && resolvers < 2) {
    throw new Error(
      'resolutionsNeedTwo is true; at least 2 operators must then have the role markets or ' +
        `admin, and ${resolvers} ${resolvers === 1 ? 'has' : 'have'}`,
    );
  }
  return { operators, resolutionsNeedTwo };
}
