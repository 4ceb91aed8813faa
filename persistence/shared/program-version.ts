/**
 * The version of this program. Each journal notes the newest version that opened it, so that an
 * older program can say which one the folder needs.
 */
import packageJson from '../../package.json' with { type: 'json' };

export const PROGRAM_VERSION = packageJson.version;

/** Whether `one` is a newer version than `other`; both as in package.json. */
export function isNewerVersion(one: string, other: string): boolean {
  const [mine, others] = [partsOf(one), partsOf(other)];
  const differing = mine.findIndex((part, place) => part !== others[place]);
  return differing >= 0 && (mine[differing] ?? 0) > (others[differing] ?? 0);
}

/** Major, minor and patch; what follows does not count. */
function partsOf(version: string): readonly number[] {
  return version.split(/[.+-]/, 3).map(Number);
}

/** Continues a refusal: what to start instead of this program. `noted`: the folder's version. */
export function programToStart(noted: string | undefined): string {
  return noted === undefined || !isNewerVersion(noted, PROGRAM_VERSION)
    ? `this is version ${PROGRAM_VERSION} of the program: start the newer one that wrote it`
    : `this is version ${PROGRAM_VERSION} of the program: start version ${noted}, which opened ` +
        'the folder before, or a newer one';
}
