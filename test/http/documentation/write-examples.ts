// Writes recorded examples: one line each, so that a difference shows which of them changed.
import { writeFileSync } from 'node:fs';

export function writeExamples(name: string, examples: object): void {
  const lines = Object.entries(examples).map(
    ([key, example]) => `${JSON.stringify(key)}: ${JSON.stringify(example)}`,
  );
  const file = new URL(`../../../http/documentation/examples/${name}.json`, import.meta.url);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
