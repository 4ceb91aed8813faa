import type { Json } from './schema.ts';

/** One request of a route, and what it is answered. */
export interface Example {
  readonly params?: Readonly<Record<string, Json>>;
  /** Parameters by name, each as the document shows it. */
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
  /** Of a JSON answer its value, of another its text. */
  readonly response: Json;
}

/** Examples by `METHOD /path`. */
export type Examples = Readonly<Record<string, Example>>;
