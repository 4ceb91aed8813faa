/**
 * Reads a Dockerfile and its list of ignored files, as far as ours use them.
 *
 * Invariant: what it does not know is an error, so that no step is left out silently.
 */

export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  /** '' for none. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

const FROM = /^(\S+)(?: AS (\S+))?$/;
const INSTRUCTION = /^([A-Z]+) +(.+)$/s;

/** Throws for a line that is no instruction. */
export function parseDockerfile(text: string): Stage[] {
  const plain = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of plain.split('\n')) {
    if (line.trim() === '') continue;
    const [, keyword = '', rest = ''] = INSTRUCTION.exec(line) ?? [];
    const stage = stages.at(-1);
    if (keyword === 'FROM') {
      const [, base = '', name = ''] = FROM.exec(rest) ?? [];
      if (base === '') throw new Error(`a Dockerfile's FROM is not understood: ${line}`);
      stages.push({ base, name, instructions: [] });
    } else if (keyword === '' || stage === undefined) {
      throw new Error(`a line of a Dockerfile is not understood: ${line}`);
    } else {
      stage.instructions.push({ keyword, text: rest });
    }
  }
  return stages;
}

/** The words of a command in the form of a JSON array. Throws for any other form. */
export function commandWords(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
    throw new Error(`${text} is not an array of words`);
  }
  return words;
}

/** Whether a path of the build context is left out: the last line that fits decides. */
export function ignoredBy(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const rules = lines.map((line) => ({
    ignores: !line.startsWith('!'),
    path: line.replace('!', ''),
  }));
  const odd = rules.find(({ path }) => path !== '*' && /[*?[]/.test(path));
  if (odd !== undefined) throw new Error(`the pattern ${odd.path} is not understood`);
  return (path) => {
    const fits = rules.filter((rule) => {
      return rule.path === '*' || path === rule.path || path.startsWith(`${rule.path}/`);
    });
    return fits.at(-1)?.ignores === true;
  };
}
