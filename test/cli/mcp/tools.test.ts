import t from 'tap';
import { toolsOf } from '../../../cli/mcp/tools.ts';
import { FAULT_NAMES } from '../../../sandbox/package/exchange-types.ts';
import { OPERATOR_ROUTES, ROUTES } from '../../all-routes.ts';

const tools = toolsOf({ public: ROUTES, operator: OPERATOR_ROUTES });

function tool(name: string) {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no tool ${name}`);
  return found;
}

t.test('a tool has the summary, the parameters and the bounds of its route', async (t) => {
  t.match(tool('get_book'), {
    description: "A token's order book with its hash, best prices last",
    properties: { token_id: { type: 'string' } },
    required: ['token_id'],
    isReading: true,
  });
  t.match(tool('list_positions'), {
    properties: { limit: { type: 'integer', minimum: 0, default: 100 }, sortBy: { enum: Array } },
    required: [],
    form: { partedBy: ['limit', 'offset'] },
  });
  t.match(tool('resolve_market'), {
    properties: { condition_id: {}, payout: {}, reason: {}, confirm: { type: 'boolean' } },
    required: ['condition_id', 'payout', 'reason'],
  });
});

t.test('a body of several forms is one list of properties', async (t) => {
  const { properties, required } = tool('add_fault');
  t.match(properties.kind, { type: 'string', enum: Array });
  // Safe: the line above.
  const { enum: kinds, description } = properties.kind as Record<string, string[] | string>;
  t.strictSame([...(kinds ?? [])].toSorted(), FAULT_NAMES);
  t.match(description, /lost_acknowledgement: [A-Z]/);
  t.strictSame(required, ['kind']);
});

t.test('an order has the options of place-order', async (t) => {
  for (const name of ['preview_order', 'place_order']) {
    t.match(tool(name), {
      properties: {
        price: { type: 'string', description: /a decimal from 0.0001 to 0.9999/ },
        expiresIn: { type: 'integer' },
        postOnly: { type: 'boolean' },
      },
      required: ['token', 'side', 'price'],
    });
  }
});

t.test('without the token of the operator its tools are not offered', async (t) => {
  const names = toolsOf({ public: ROUTES, operator: [] }).map(({ name }) => name);
  t.ok(names.includes('get_book') && names.includes('cancel_all_orders'));
  t.notOk(names.includes('resolve_market') || names.includes('add_fault'));
});

t.test('what can not be undone needs a confirmation', async (t) => {
  const confirmed = tools.flatMap(({ name, confirmedAfter }) => (confirmedAfter ? [name] : []));
  t.strictSame(confirmed, ['cancel_all_orders', 'resolve_market', 'move_time']);
});
