/**
 * The examples of the documents: what an exchange really answered in a recorded session.
 * `test/http/documentation` repeats the sessions and compares.
 */
import type { RouteDefinition } from '../api/index.ts';
import operatorExamples from './examples/operator.json' with { type: 'json' };
import publicExamples from './examples/public.json' with { type: 'json' };
import streamExamples from './examples/streams.json' with { type: 'json' };
import type { Json } from './schema.ts';

/** A request and its answer. */
export interface Example {
  readonly params?: Readonly<Record<string, Json>>;
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
  /** The value of a JSON answer; the text of any other answer. */
  readonly response: Json;
}

/** Examples by `METHOD /path`. */
export type Examples = Readonly<Record<string, Example>>;

const TABLES: Readonly<Record<'public' | 'operator', Examples>> = {
  public: publicExamples,
  operator: operatorExamples,
};
const MESSAGES: Readonly<Record<string, Json>> = streamExamples;

/**
 * A test requires an example for every route. A route of the operator's listener without an own one
 * answers as the public one of the same name.
 */
export function exampleOf(
  listener: keyof typeof TABLES,
  { method, path }: Pick<RouteDefinition, 'method' | 'path'>,
): Example | undefined {
  const name = `${method} ${path}`;
  return TABLES[listener][name] ?? TABLES.public[name];
}

/** By `channel.message`. A test requires an example for every message. */
export function exampleOfMessage(key: string): Json | undefined {
  return MESSAGES[key];
}
