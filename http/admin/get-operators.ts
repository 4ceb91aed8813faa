import { Type } from 'typebox';
import { OPERATOR_ROLES } from '../operators/index.ts';
import { Text, TrueFalse } from '../parameters/index.ts';
import { defineRoute } from '../services/index.ts';

/**
 * GET /operators: who may use this listener, from the file of operators that is in effect. Their
 * number is bounded by the file.
 */
export const getOperators = defineRoute({
  method: 'GET',
  path: '/operators',
  summary: 'The operators and their roles',
  auth: 'operator',
  response: Type.Object({
    you: Text('Your name; "" where operators share one token'),
    resolutions_need_two: TrueFalse('Whether two operators must ask for a resolution'),
    data: Type.Array(
      Type.Object({
        name: Text('"" where operators share one token'),
        roles: Type.Array(Type.Enum([...OPERATOR_ROLES])),
        tokens: Type.Integer({ description: 'How many tokens are valid for this operator' }),
      }),
    ),
  }),
  needs: ['operators'],
  handler: ({ caller, services: { operators } }) => ({
    you: caller.name,
    resolutions_need_two: operators.resolutionsNeedTwo,
    data: operators.operators.map(({ name, roles, digests }) => ({
      name,
      roles: [...roles],
      tokens: digests.length,
    })),
  }),
});
