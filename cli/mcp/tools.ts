/**
 * The tools, each with its route. What a tool takes and says follows from the definition of the
 * route (`defineRoute`); what an order takes, from the options of `place-order`.
 *
 * Invariant: a tool whose work can't be undone does nothing without `confirm: true`: it answers
 * with the request that it would send, and with what that would change.
 */
import type { RouteDefinition } from '../../http/api/index.ts';
import { closestWord } from '../../http/codec/index.ts';
import {
  expanded,
  isJsonObject,
  type Json,
  type JsonObject,
  toJson,
} from '../../http/documentation/schema.ts';
import { ORDER_OPTIONS, ORDER_TERMS } from '../options/order-options.ts';
import type { CutForm } from './answer.ts';

interface RouteTool {
  readonly route: string;
  /** Its work can't be undone; the route that shows what it would change. */
  readonly confirmedAfter?: string;
  /** See `CutForm`. */
  readonly keepsEnd?: boolean;
}

/** The routes of the operator's listener have `operator` before them. */
const ROUTE_TOOLS: Readonly<Record<string, RouteTool>> = {
  search_markets: { route: 'GET /public-search' },
  list_markets: { route: 'GET /sampling-markets' },
  get_market: { route: 'GET /markets/{id}' },
  get_book: { route: 'GET /book', keepsEnd: true },
  get_price_history: { route: 'GET /prices-history', keepsEnd: true },
  get_balance: { route: 'GET /balance-allowance' },
  list_positions: { route: 'GET /positions' },
  list_orders: { route: 'GET /data/orders' },
  get_order: { route: 'GET /data/order/{id}' },
  list_trades: { route: 'GET /data/trades' },
  cancel_order: { route: 'DELETE /order' },
  cancel_market_orders: { route: 'DELETE /cancel-market-orders' },
  cancel_all_orders: { route: 'DELETE /cancel-all', confirmedAfter: 'GET /data/orders' },
  redeem_tokens: { route: 'POST /sets/redeem' },
  get_play_money: { route: 'POST /faucet' },
  resolve_market: {
    route: 'operator POST /markets/{condition_id}/resolve',
    confirmedAfter: 'operator GET /explorer/markets/{condition_id}',
  },
  get_time: { route: 'operator GET /time' },
  move_time: { route: 'operator POST /time', confirmedAfter: 'operator GET /time' },
  list_faults: { route: 'operator GET /faults' },
  add_fault: { route: 'operator POST /faults' },
  remove_fault: { route: 'operator DELETE /faults/{fault_id}' },
};

/** Two tools sign an order, which the options of `place-order` describe. */
export const ORDER_TOOLS = {
  preview_order: {
    path: '/debug/order',
    summary: 'Explain what an order would do; places nothing',
  },
  place_order: { path: '/order', summary: 'Sign an order and place it' },
} as const;
const REQUIRED_OF_ORDER = ['token', 'side', 'price'];

/** Arguments that ask for another part of a list. */
const PARTING =
  /^(limit|limit_per_type|offset|page|next_cursor|startTs|endTs|interval|fidelity|before|after)$/;
const CONFIRM = {
  type: 'boolean',
  description: 'true does it; otherwise the answer says what it would do. It can not be undone',
} as const;

/** Arguments that have a value when they are left out: whose account it is, and who asks. */
const FILLED = new Set(['user', 'address', 'by']);

/** Where a request has an argument. */
type Place = 'params' | 'query' | 'body';

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** As in the tables of routes, with `operator` before those of the operator's listener. */
  readonly routeName: string;
  readonly properties: JsonObject;
  readonly required: readonly string[];
  readonly isReading: boolean;
  readonly form: CutForm;
  readonly confirmedAfter: ExchangeRoute | undefined;
  /** Undefined for the tools of ORDER_TOOLS. */
  readonly route: ExchangeRoute | undefined;
}

/** A route with the arguments that it takes. */
export interface ExchangeRoute extends Pick<RouteDefinition, 'method' | 'path' | 'auth'> {
  readonly places: ReadonlyMap<string, Place>;
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

function membersOf(schema: JsonObject): readonly JsonObject[] {
  return Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject) : [schema];
}

function propertiesOf({ properties = {} }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** One schema for a property that several forms of a body have. */
function merged(name: string, members: readonly JsonObject[]): Json {
  const schemas = members.flatMap((member) => {
    const schema = propertiesOf(member)[name];
    return schema !== undefined && isJsonObject(schema) ? [{ member, schema }] : [];
  });
  const texts = new Set(schemas.map(({ schema }) => JSON.stringify(schema)));
  const [first] = schemas;
  if (texts.size < 2 || first === undefined) return first?.schema ?? {};
  if (schemas.some(({ schema }) => schema.const === undefined)) {
    return { anyOf: [...texts].map((text) => JSON.parse(text)) };
  }
  const meanings = schemas.map(({ member, schema }) => `${schema.const}: ${member.description}`);
  const values = schemas.map(({ schema }) => schema.const ?? null);
  return { type: 'string', enum: values, description: meanings.join('; ') };
}

/** An object, or one of several, as one list of properties: models take no other schema. */
function objectOf(schema: JsonObject): Pick<ExchangeRoute, 'properties' | 'required'> {
  const members = membersOf(schema);
  const names = new Set(members.flatMap((member) => Object.keys(propertiesOf(member))));
  const properties = Object.fromEntries([...names].map((name) => [name, merged(name, members)]));
  const required = [...names].filter((name) => {
    const property = properties[name];
    const hasDefault = property !== undefined && isJsonObject(property) && 'default' in property;
    const isRequired = ({ required: own }: JsonObject): boolean =>
      Array.isArray(own) && own.includes(name);
    return !hasDefault && members.every(isRequired);
  });
  return { properties, required };
}

function describedRoute(route: RouteDefinition): ExchangeRoute {
  const { method, path, auth, params, query, documentedQuery, body, documentedBody } = route;
  const parts = { params, query: documentedQuery ?? query, body: documentedBody ?? body };
  const places = new Map<string, Place>();
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const [place, schema] of Object.entries(parts)) {
    const object = objectOf(expanded(toJson(schema), new Map()));
    // Safe: the keys of `parts`.
    for (const name of Object.keys(object.properties)) places.set(name, place as Place);
    Object.assign(properties, object.properties);
    required.push(...object.required);
  }
  return { method, path, auth, places, properties, required };
}

function orderTool(name: keyof typeof ORDER_TOOLS): Tool {
  const properties = ORDER_TERMS.map((option): [string, JsonObject] => {
    const { kind, meaning } = ORDER_OPTIONS[option];
    const type =
      kind.placeholder === '' ? 'boolean' : kind.placeholder === 'N' ? 'integer' : 'string';
    return [option, { type, description: `${meaning}; ${kind.must}` }];
  });
  return {
    name,
    description: ORDER_TOOLS[name].summary,
    routeName: `POST ${ORDER_TOOLS[name].path}`,
    properties: Object.fromEntries(properties),
    required: REQUIRED_OF_ORDER,
    isReading: name === 'preview_order',
    form: { partedBy: [] },
    confirmedAfter: undefined,
    route: undefined,
  };
}

export interface ListedRoutes {
  readonly public: readonly RouteDefinition[];
  /** None where the operator's token is not known. */
  readonly operator: readonly RouteDefinition[];
}

/** The tools whose routes there are. */
export function toolsOf(routes: ListedRoutes): readonly Tool[] {
  const byName = new Map(
    [
      ...routes.public.map((route) => ['', route] as const),
      ...routes.operator.map((route) => ['operator ', route] as const),
    ].map(([listener, route]) => [`${listener}${route.method} ${route.path}`, route]),
  );
  const found = Object.entries(ROUTE_TOOLS).flatMap(([name, row]): Tool[] => {
    const definition = byName.get(row.route);
    if (definition === undefined) return [];
    const route = describedRoute(definition);
    const shown = byName.get(row.confirmedAfter ?? '');
    const confirmedAfter = shown && describedRoute(shown);
    const { properties, required } = route;
    return [
      {
        name,
        description: definition.summary,
        routeName: row.route,
        properties: confirmedAfter ? { ...properties, confirm: CONFIRM } : properties,
        required: required.filter((argument) => !FILLED.has(argument)),
        isReading: definition.method === 'GET',
        form: {
          keepsEnd: row.keepsEnd ?? false,
          partedBy: Object.keys(properties).filter((argument) => PARTING.test(argument)),
        },
        confirmedAfter,
        route,
      },
    ];
  });
  return [...found, orderTool('preview_order'), orderTool('place_order')];
}

/** What is wrong with the names of a call's arguments; '' for nothing. */
export function argumentFault(
  { name, properties, required }: Pick<Tool, 'name' | 'properties' | 'required'>,
  given: Readonly<Record<string, unknown>>,
): string {
  const known = Object.keys(properties);
  const unknown = Object.keys(given).find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    return `${name} has no argument "${unknown}"; the nearest is ${closestWord(unknown, known)}`;
  }
  const missing = required.filter((argument) => given[argument] === undefined);
  return missing.length === 0 ? '' : `${name} needs ${missing.join(', ')}`;
}
