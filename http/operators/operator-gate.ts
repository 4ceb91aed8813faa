/**
 * Authenticates operators by the bearer tokens of their listener, and knows who they are.
 *
 * Invariant: only digests of tokens are kept, and each is compared in constant time. The operators
 * may be replaced at any time; a request that arrives afterwards is judged by the new ones.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isOperatorToken } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';

// What operators may do: groups of the routes of their listener.

/** Each role with what it permits, in words. */
export const ROLE_TEXTS = {
  metrics: 'GET /metrics, health and the description of this API',
  reader: 'every GET',
  markets:
    'events and markets: create, open, change, pause, close, resolve; the whole exchange too',
  accounts: 'owners: open accounts, restrict them, revoke keys, cancel orders',
  money: "deposits, withdrawals, moves of an account's cash and tokens, shares of builders",
  catalog: 'texts of the catalog, comments and profiles',
  admin: 'everything',
} as const;

export type OperatorRole = keyof typeof ROLE_TEXTS;

// Safe: the keys of the record above.
export const OPERATOR_ROLES = Object.keys(ROLE_TEXTS) as readonly OperatorRole[];

/** Every role but `metrics` also reads. A route without a role is for admins. */
export function permits(roles: readonly OperatorRole[], needed: OperatorRole = 'admin'): boolean {
  if (needed === 'metrics' || roles.includes('admin')) return true;
  return needed === 'reader' ? roles.some((role) => role !== 'metrics') : roles.includes(needed);
}

/** What is kept of a token. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export interface Operator {
  /** Who `by` says; '' where all share a single token. */
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  /** SHA-256 of each valid token. Two while a token is replaced. */
  readonly digests: readonly Buffer[];
}

export interface OperatorList {
  readonly operators: readonly Operator[];
  /** Whether two operators must ask for a resolution. */
  readonly resolutionsNeedTwo: boolean;
}

/** All share one token, and say in each request who asks. */
export function oneOperator(token: string): OperatorList {
  const operators = [{ name: '', roles: ['admin'], digests: [digestOf(token)] }] as const;
  return { operators, resolutionsNeedTwo: false };
}

/** Case-insensitive (RFC 9110, 11.1). */
const SCHEME = 'bearer ';

export class OperatorGate {
  #list: OperatorList;

  constructor(list: OperatorList) {
    this.#list = list;
  }

  /** Replaces all operators and their tokens. */
  replace(list: OperatorList): void {
    this.#list = list;
  }

  get operators(): readonly Operator[] {
    return this.#list.operators;
  }

  get resolutionsNeedTwo(): boolean {
    return this.#list.resolutionsNeedTwo;
  }

  /** The names of the operators who have the role now. */
  permitted(role: OperatorRole): readonly string[] {
    return this.operators.filter(({ roles }) => permits(roles, role)).map(({ name }) => name);
  }

  /**
   * The operator whose token the Authorization header carries. Throws `bad_operator_token`, and
   * `operator_role_missing` for a route of another role. Without a role the route is for admins.
   */
  admit(authorization: string, role: OperatorRole | undefined): Operator {
    const operator = this.#holderOf(authorization);
    if (operator === undefined)
      throw new ApiError('bad_operator_token', { field: 'Authorization' });
    if (permits(operator.roles, role)) return operator;
    throw new ApiError('operator_role_missing', {
      field: 'Authorization',
      limit: role ?? 'admin',
      actual: operator.roles.join(', '),
    });
  }

  #holderOf(authorization: string): Operator | undefined {
    if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
    const token = authorization.slice(SCHEME.length);
    // The hash of a short token in the file of operators must not make it valid.
    if (!isOperatorToken(token)) return undefined;
    const digest = digestOf(token);
    return this.operators.find(({ digests }) =>
      digests.some((one) => timingSafeEqual(one, digest)),
    );
  }
}
