import { existsSync } from 'node:fs';
import { test } from 'tap';
import { PARTS } from './parts.ts';

test('each part of test:deploy has its program', async (t) => {
  for (const name of Object.keys(PARTS)) {
    t.ok(existsSync(new URL(`${name}.ts`, import.meta.url)), name);
  }
});
