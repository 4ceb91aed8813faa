/** Files that options name. This room opens no file itself: the caller passes a `ReadText`. */
import { UsageError } from './parse-arguments.ts';
import { parseJsonFile } from './resolve-options.ts';

/** Returns the text of a file; throws when it can't be read. */
export type ReadText = (path: string) => string;

/** The text of the file that a flag names. Throws `UsageError`. */
export function readNamedText(flag: string, path: string, readText: ReadText): string {
  try {
    return readText(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError([`${flag} is "${path}", which can't be read: ${reason}`]);
  }
}

/** The JSON file that a flag names, read by `parse`. Throws `UsageError`. */
export function readNamedJson<Result>(
  flag: string,
  path: string,
  readText: ReadText,
  parse: (json: unknown) => Result,
): Result {
  const json = parseJsonFile(path, readNamedText(flag, path, readText));
  try {
    return parse(json);
  } catch (error) {
    throw new UsageError([`${path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
