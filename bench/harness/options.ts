/**
 * The words after `npm run bench --`: names of benches, then the options of one of them. All of
 * them are looked at before anything is measured, and what is not known is refused in words.
 */

/** What an option is followed by: a whole number above 0, or nothing. */
export type KnownOptions = Readonly<Record<string, 'number' | 'flag'>>;

/** What was given: a number, or 1 for a flag. */
export type Options<Known extends KnownOptions> = Readonly<{
  [Name in keyof Known]?: number;
}>;

/** Throws for an option that is not known, or is no whole number above 0. */
export function readOptions<Known extends KnownOptions>(
  words: readonly string[],
  known: Known,
): Options<Known> {
  const found: Record<string, number> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const name = word.replace(/^--/, '');
    const kind = word.startsWith('--') && Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) throw new Error(`there is no option ${word}; ${optionsText(known)}`);
    if (kind === 'number') at += 1;
    found[name] = kind === 'flag' ? 1 : wholeNumber(word, words[at]);
  }
  // Safe: only names of `known` were taken.
  return found as Options<Known>;
}

function wholeNumber(option: string, text = 'missing'): number {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new Error(`the number after ${option} is ${text}: give a whole number above 0`);
}

function optionsText(known: KnownOptions): string {
  const texts = Object.entries(known).map(
    ([name, kind]) => `--${name}${kind === 'number' ? ' N' : ''}`,
  );
  return texts.length === 0 ? 'this bench has none' : `this bench has ${texts.join(', ')}`;
}

export interface BenchWords {
  /** All of them when none was named. */
  readonly names: readonly string[];
  readonly options: readonly string[];
}

/** Throws for a name that is not known, and for options that belong to none or to several. */
export function readBenchWords(
  words: readonly string[],
  known: Readonly<Record<string, KnownOptions>>,
): BenchWords {
  const first = words.findIndex((word) => word.startsWith('--'));
  const names = first < 0 ? words : words.slice(0, first);
  const options = first < 0 ? [] : words.slice(first);
  for (const name of names) {
    if (Object.hasOwn(known, name)) continue;
    throw new Error(`there is no bench ${name}; there are ${Object.keys(known).join(', ')}`);
  }
  if (options.length > 0) {
    const [name] = names;
    if (name === undefined || names.length > 1) {
      throw new Error(
        `${options[0]} belongs to one bench: npm run bench -- catalog --markets 1000`,
      );
    }
    readOptions(options, known[name] ?? {});
  }
  return { names, options };
}
