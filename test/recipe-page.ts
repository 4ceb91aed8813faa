// docs/recipes.md and the programs to which it leads.
import { fileURLToPath } from 'node:url';

export const RECIPES_FILE = new URL('../docs/recipes.md', import.meta.url);
const PROGRAMS = new URL('../docs/examples/recipes/', import.meta.url);

/** The path of a program. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(name, PROGRAMS));
}

/** The section of the page with a program: its commands come before the link to it. */
export function sectionOf(page: string, name: string): string {
  const section = page.split('\n## ').find((text) => text.includes(`(examples/recipes/${name})`));
  if (section === undefined) throw new Error(`the page has no ${name}`);
  return section;
}
