/** Sockets are files: how many a process may open. */

/** What a process of the benches has open beside its sockets, at the most. */
export const OTHER_FILES = 200;

/** Infinity where there is no limit; the report of Node knows. */
export function fileLimit(): number {
  // Safe: on systems without limits the field is missing.
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
  };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}
