// Operators with a token each, for tests.
import { createHash } from 'node:crypto';
import type { Operator, OperatorRole } from '../../../http/operators/operator-gate.ts';

export function tokenOf(name: string): string {
  return `the-token-of-${name}`;
}

export function namedOperator(name: string, ...roles: readonly OperatorRole[]): Operator {
  return { name, roles, digests: [createHash('sha256').update(tokenOf(name)).digest()] };
}
