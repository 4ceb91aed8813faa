// Compares a message of a stream with its schema. Clients of tests do so with every message that
// they get, so that each test of a stream also tests that its texts have exactly the declared
// fields.
import { strict as assert } from 'node:assert';
import { expanded, toJson } from '../../../http/documentation/schema.ts';
import { STREAM_CHANNELS } from '../../../http/streams/index.ts';
import { compileSchema, type SchemaCheck } from '../documentation/undeclared.ts';

const checks = new Map<string, SchemaCheck>();

function checkOf(address: string, name: string): SchemaCheck {
  const key = `${address} ${name}`;
  const known = checks.get(key);
  if (known !== undefined) return known;
  const channel = STREAM_CHANNELS.find((one) => one.address === address);
  const message = channel?.sent[name];
  assert(message !== undefined, `${key} is no message of a stream`);
  const check = compileSchema(expanded(toJson(message.payload), new Map()));
  checks.set(key, check);
  return check;
}

/** Throws if the channel at this address does not send such a message. */
export function checkMessage(address: string, text: string): void {
  const message = JSON.parse(text);
  const faults = checkOf(address, message.event_type ?? message.type)(message);
  assert.deepEqual(faults, [], text);
}
