/**
 * The routes of both listeners as types: which answer each method and path has. They are the types
 * of the server's own route definitions, so an answer that changes there changes here.
 */
import type { Static, TSchema } from 'typebox';
import type * as content from '../../../catalog/routes/content/index.ts';
import type * as catalog from '../../../catalog/routes/index.ts';
import type * as accounts from '../../../http/admin/accounts/index.ts';
import type * as backups from '../../../http/admin/backups/index.ts';
import type * as edits from '../../../http/admin/catalog/index.ts';
import type * as admin from '../../../http/admin/index.ts';
import type * as markets from '../../../http/admin/markets/index.ts';
import type { Method } from '../../../http/api/index.ts';
import type * as explorer from '../../../http/explorer/index.ts';
import type * as own from '../../../http/routes/account/index.ts';
import type * as analytics from '../../../http/routes/analytics/index.ts';
import type * as lists from '../../../http/routes/markets/index.ts';
import type * as orders from '../../../http/routes/orders/index.ts';
import type * as prices from '../../../http/routes/prices/index.ts';
import type * as system from '../../../http/routes/system/index.ts';
import type * as sandbox from '../../../sandbox/admin/index.ts';
import type * as faucet from '../../../sandbox/faucet/index.ts';
import type { factsRoute } from '../../index.ts';

type Elements<Export> = Export extends readonly (infer One)[] ? One : Export;
/** What a room exports as routes, each by itself or in a list: the schemas of their answers. */
type RoutesOf<Room> = AnswersOf<Elements<Room[keyof Room]>>;
type AnswersOf<Export> = {
  [Route in Export as KeyOf<Route>]: Route extends { readonly response: infer Schema }
    ? Schema
    : never;
};
/** Such as `GET /book`. Routes whose path a function leaves open have no type. */
type KeyOf<Route> = Route extends {
  readonly method: infer M extends string;
  readonly path: infer Path extends string;
}
  ? Record<never, never> extends Record<`${M} ${Path}`, true>
    ? never
    : `${M} ${Path}`
  : never;

type Reads = RoutesOf<typeof catalog> &
  RoutesOf<typeof analytics> &
  RoutesOf<typeof lists> &
  RoutesOf<typeof prices> &
  RoutesOf<typeof explorer>;

interface PublicRoutes
  extends Reads,
    RoutesOf<typeof content>,
    RoutesOf<typeof own>,
    RoutesOf<typeof orders>,
    RoutesOf<typeof system>,
    RoutesOf<typeof faucet>,
    AnswersOf<ReturnType<typeof factsRoute>> {}

interface OperatorRoutes
  extends Reads,
    RoutesOf<typeof accounts>,
    RoutesOf<typeof admin>,
    RoutesOf<typeof backups>,
    RoutesOf<typeof edits>,
    RoutesOf<typeof markets>,
    RoutesOf<typeof sandbox>,
    AnswersOf<typeof faucet.postInvitations>,
    AnswersOf<ReturnType<typeof factsRoute>>,
    AnswersOf<typeof system.getMetrics> {}

/** The proof of identity that a route wants. Absent: none. */
export type Proof = 'l2' | 'operator' | undefined;

type RoutesFor<A extends Proof> = A extends 'operator' ? OperatorRoutes : PublicRoutes;

/** The paths of a method, as the server writes them: `/markets/{condition_id}`. */
export type PathOf<
  M extends Method,
  A extends Proof = undefined,
> = keyof RoutesFor<A> extends infer Key
  ? Key extends `${M} ${infer Path}`
    ? Path
    : never
  : never;

export type Answer<M extends Method, Path extends string, A extends Proof = undefined> =
  RoutesFor<A> extends { readonly [Key in `${M} ${Path}`]: infer Schema extends TSchema }
    ? Static<Schema>
    : never;
