import { createHash } from 'node:crypto';
import t from 'tap';
import {
  OPERATOR_ROLES,
  OperatorGate,
  type OperatorRole,
} from '../../../http/operators/operator-gate.ts';

function operator(name: string, roles: readonly OperatorRole[], ...tokens: readonly string[]) {
  const digests = tokens.map((token) => createHash('sha256').update(token).digest());
  return { name, roles, digests };
}

function outcome(gate: OperatorGate, token: string, role?: OperatorRole): string {
  try {
    return gate.admit(`Bearer ${token}`, role).name;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

t.test('a token admits its holder to the routes of its roles', async (t) => {
  const list = OPERATOR_ROLES.map((role) =>
    operator(`a ${role}`, [role], `the token of ${role}!`.replaceAll(' ', '-')),
  );
  const gate = new OperatorGate({ operators: list, resolutionsNeedTwo: false });
  const token = (role: string): string => `the-token-of-${role}!`;
  for (const own of OPERATOR_ROLES) {
    for (const needed of OPERATOR_ROLES) {
      const isPermitted =
        own === needed ||
        own === 'admin' ||
        needed === 'metrics' ||
        (needed === 'reader' && own !== 'metrics');
      const expected = isPermitted ? `a ${own}` : 'operator_role_missing';
      t.equal(outcome(gate, token(own), needed), expected, `${own} on a route of ${needed}`);
    }
    const expected = own === 'admin' ? 'a admin' : 'operator_role_missing';
    t.equal(outcome(gate, token(own)), expected, 'a route without a role is for admins');
  }
  t.equal(outcome(gate, token('root'), 'metrics'), 'bad_operator_token');
});

t.test('an operator may have two tokens while one is replaced', async (t) => {
  const [before, after] = ['the-token-until-now', 'the-token-from-now-on'];
  const gate = new OperatorGate({ operators: [], resolutionsNeedTwo: false });
  const steps = [[before], [before, after], [after]].map((tokens) => {
    gate.replace({ operators: [operator('Ada', ['admin'], ...tokens)], resolutionsNeedTwo: false });
    return [outcome(gate, before), outcome(gate, after)];
  });
  t.strictSame(steps, [
    ['Ada', 'bad_operator_token'],
    ['Ada', 'Ada'],
    ['bad_operator_token', 'Ada'],
  ]);
});

t.test('a token that is too short is refused, although the file has its hash', async (t) => {
  const tokens = ['', 'x', 'fifteen-letters', 'sixteen--letters'];
  const operators = [operator('Ada', ['admin'], ...tokens)];
  const gate = new OperatorGate({ operators, resolutionsNeedTwo: false });
  t.strictSame(
    tokens.map((token) => outcome(gate, token)),
    ['bad_operator_token', 'bad_operator_token', 'bad_operator_token', 'Ada'],
  );
});
