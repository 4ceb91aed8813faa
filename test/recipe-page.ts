// docs/recipes.md with the code of its programs. Run as a program, it writes the page again.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const RECIPES_FILE = new URL('../docs/recipes.md', import.meta.url);
const PROGRAMS = new URL('../docs/examples/recipes/', import.meta.url);
/** The mark of a program, and its code if that is there already. */
const PROGRAM = /<!-- ([a-z-]+\.ts) -->\n(?:\n```ts\n[\s\S]*?```\n)?/g;

/** The path of a program. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(name, PROGRAMS));
}

/** A page in which each program stands as it is now. */
export function withPrograms(page: string): string {
  return page.replace(PROGRAM, (_, name: string) => {
    const code = readFileSync(programPath(name), 'utf8');
    return `<!-- ${name} -->\n\n\`\`\`ts\n${code}\`\`\`\n`;
  });
}

/** The section of the page with a program: its commands come before its code. */
export function sectionOf(page: string, name: string): string {
  const section = page.split('\n## ').find((text) => text.includes(`<!-- ${name} -->`));
  if (section === undefined) throw new Error(`the page has no ${name}`);
  return section;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(RECIPES_FILE, withPrograms(readFileSync(RECIPES_FILE, 'utf8')));
}
