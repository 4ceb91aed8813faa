/**
 * The content of the catalog in a cluster (docs/decisions/0042-content-records.md): each write that
 * comes from outside is a record in the log of commands, which every node applies to its own
 * catalog.
 *
 * Invariant: two catalogs with the same lineage and number have the same content. Bound:
 * `RECORD_BOUNDS`.
 */
export { ClusterCatalog } from './cluster-catalog.ts';
export { CONTENT_REQUEST_KINDS } from './content-requests.ts';
export { isCompleteCatalog, receiveCatalog } from './received-catalog.ts';
