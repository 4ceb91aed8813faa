/**
 * Routes for the operator's actions. An action is one command of the engine; it is journaled with
 * the name of who asked for it and the reason, and `GET /actions` lists it.
 *
 * Invariant: every command of the operator has a name and a reason. A command that is refused, or
 * that changes nothing, is not journaled.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { Command, Rejected } from '../../../engine/index.ts';
import {
  type Attribution,
  CatalogImportError,
  type ImportRefusal,
} from '../../../persistence/index.ts';
import { type Method, NO_PARAMETERS, type RequestInfo } from '../../api/index.ts';
import { HTTP_BOUNDS } from '../../bounds/sizes.ts';
import { ApiError, type ErrorCode, echo, rejectIn, throwReject } from '../../errors/index.ts';
import type { Operator } from '../../operators/operator-gate.ts';
import { TrueFalse } from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';

/** Finds the first difference between two JSON values. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The path of the first difference, such as `markets.3.slug`, in the order of the keys of
 * `requested`; undefined for equal values. Lists of different lengths differ as a whole.
 */
export function firstDifference(requested: unknown, stored: unknown): string | undefined {
  if (!isContainer(requested) || !isContainer(stored)) return requested === stored ? undefined : '';
  const names = Object.keys(requested);
  if (Array.isArray(requested) && names.length !== Object.keys(stored).length) return '';
  for (const name of new Set([...names, ...Object.keys(stored)])) {
    const rest = firstDifference(requested[name], stored[name]);
    if (rest !== undefined) return rest === '' ? name : `${name}.${rest}`;
  }
  return undefined;
}

/** Turns the catalog's first refusal of a record into an `ApiError`. Other errors are unchanged. */
export function recordError(
  error: unknown,
  conflictCode: ErrorCode,
  fieldOf: (refusal: ImportRefusal) => string,
): unknown {
  const first = error instanceof CatalogImportError ? error.refusals[0] : undefined;
  if (!(error instanceof CatalogImportError) || first === undefined) return error;
  const { limit, actual } = first;
  const code = error.kind === 'conflict' ? conflictCode : 'invalid_payload';
  return new ApiError(code, { field: fieldOf(first), limit, actual });
}

/** The pattern of a text without control characters that does not begin with a space. */
function textPattern(maxLength: number): string {
  return `^[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]{0,${maxLength - 1}}$`;
}

/** In the body of every write of the operator. */
export const ATTRIBUTION = {
  by: Type.Optional(
    Type.String({
      pattern: textPattern(128),
      description:
        'Who asks for it: 1 to 128 printable characters. Required where operators share one ' +
        'token; where each has a token, it is the name of its holder and may be left out',
    }),
  ),
  reason: Type.String({
    pattern: textPattern(500),
    description: 'Why: 1 to 500 printable characters',
  }),
} as const;

export const DuplicateAction = TrueFalse('Whether nothing was changed because it was so before');

/**
 * Who asks for an action, and why. A token with a name says who; it can't ask in another's name.
 * Throws `missing_field` or `invalid_payload` for a wrong `by`.
 */
export function saidIn(
  { by, reason }: { readonly by?: string; readonly reason: string },
  { name }: Pick<Operator, 'name'>,
): Attribution {
  const said = by ?? name;
  if (said === '') throw new ApiError('missing_field', { field: 'by' });
  if (name === '' || said === name) return { by: said, reason };
  throw new ApiError('invalid_payload', { field: 'by', limit: name, actual: echo(by) });
}

/** Resolves when the command is durable. Throws an `ApiError` if the command is refused. */
export async function submitAction(
  { exchange }: Pick<Services, 'exchange'>,
  command: Command,
  said: Attribution,
  errorOf?: (rejected: Rejected) => ApiError,
) {
  for (let lookups = 1; ; lookups += 1) {
    // The keys of the operator's commands belong to the owner ''.
    const found = 'key' in command ? await exchange.lookUpKey({ owner: '', key: command.key }) : {};
    const { events } = await exchange.submit({ ...command, ...found }, said);
    const isLate = rejectIn(events)?.code === 'money_key_unchecked';
    if (isLate && lookups < HTTP_BOUNDS.idLookups) continue;
    throwReject(events, errorOf);
    return { events, duplicate: events.some(({ kind }) => kind === 'known') };
  }
}

interface ActionInput<
  Need extends keyof Services,
  Params extends TSchema,
  Body extends TProperties,
> {
  readonly params: Static<Params>;
  readonly body: Static<Type.TObject<Body>>;
  readonly request: RequestInfo;
  readonly services: Pick<Services, Need | 'exchange'>;
}

interface Action<
  Need extends keyof Services,
  Params extends TSchema,
  Body extends TProperties,
  Done extends Command,
> {
  readonly path: string;
  readonly summary: string;
  readonly method?: Method;
  readonly params?: Params;
  /** The body without the attribution. */
  readonly body?: Body;
  readonly bodyDescription?: string;
  /** The answer without `duplicate`. */
  readonly response: TProperties;
  /** The services besides `exchange`. */
  readonly needs?: readonly Need[];
  readonly errorOf?: (rejected: Rejected) => ApiError;
  /** A command that must be done first; it is submitted directly before the action's own. */
  firstOf?(input: ActionInput<Need, Params, Body>): Command | undefined;
  commandOf(input: ActionInput<Need, Params, Body>): Done;
  /**
   * Who asks for it, once all have who must: undefined while a second operator is missing. Absent
   * where one is enough.
   */
  approvalOf?(
    command: Done,
    said: Attribution,
    input: ActionInput<Need, Params, Body>,
  ): Attribution | undefined | Promise<Attribution | undefined>;
  /** What is different in the answer while a second operator is missing. */
  waitingAnswer?(command: Done): object;
  answerOf(command: Done, input: ActionInput<Need, Params, Body>): object;
}

/** A route that submits its command and answers with `response` and `duplicate`. */
export function actionRoute<
  Done extends Command,
  const Need extends keyof Services = never,
  Params extends TSchema = typeof NO_PARAMETERS,
  // biome-ignore lint/complexity/noBannedTypes: an action without its own body has no properties.
  Body extends TProperties = {},
>(action: Action<Need, Params, Body, Done>) {
  const { path, summary, method = 'POST', params = NO_PARAMETERS, body, response } = action;
  const { bodyDescription: description } = action;
  return defineRoute({
    method,
    path,
    summary,
    auth: 'operator',
    params,
    body: Type.Object(
      { ...body, ...ATTRIBUTION },
      description === undefined ? {} : { description },
    ),
    response: Type.Object({ ...response, duplicate: DuplicateAction }),
    needs: ['exchange', ...(action.needs ?? [])],
    handler: async (checked) => {
      // Safe: the schemas and the services of the route are those of the action.
      const input = checked as unknown as ActionInput<Need, Params, Body>;
      const said = saidIn(checked.body, checked.caller);
      const command = action.commandOf(input);
      const first = action.firstOf?.(input);
      const approved =
        action.approvalOf === undefined ? said : await action.approvalOf(command, said, input);
      if (approved === undefined) {
        const answer = { ...action.answerOf(command, input), ...action.waitingAnswer?.(command) };
        return { ...answer, duplicate: false };
      }
      const { services } = input;
      const submit = (one: Command) => submitAction(services, one, approved, action.errorOf);
      // Both in one turn, so that no other command comes between them.
      const [, { duplicate }] = await Promise.all([first && submit(first), submit(command)]);
      return { ...action.answerOf(command, input), duplicate };
    },
  });
}
