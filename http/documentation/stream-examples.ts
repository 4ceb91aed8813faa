/**
 * The example of each message of the streams, as a client really sent it or was sent it: a recorded
 * session, which `test/http/documentation` repeats and compares.
 */

import streamExamples from './examples/streams.json' with { type: 'json' };
import type { Json } from './schema.ts';

const EXAMPLES: Readonly<Record<string, Json>> = streamExamples;

/** By `channel.message`; undefined for one that has none, which a test does not allow. */
export function exampleOfMessage(key: string): Json | undefined {
  return EXAMPLES[key];
}
