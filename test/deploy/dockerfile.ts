/** Reads a Dockerfile: which instructions it has, in the order in which it has them. */

export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

const INSTRUCTION = /^([A-Z]+) +(.+)$/;

/** Throws for a line that is no instruction. */
export function parseDockerfile(text: string): Instruction[] {
  const plain = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const lines = plain.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, keyword, rest] = INSTRUCTION.exec(line) ?? [];
    if (keyword === undefined || rest === undefined) {
      throw new Error(`a line of a Dockerfile is not understood: ${line}`);
    }
    return { keyword, text: rest };
  });
}
