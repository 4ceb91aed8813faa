/**
 * The OpenAPI and AsyncAPI documents and the page that shows them. Both are made from the schemas
 * that the server checks requests with.
 *
 * Invariant: a document describes every route or message of its listener and nothing else. The
 * examples are recorded answers of a real exchange; a test repeats the session and compares.
 */
export { getAsyncApi, getDocs, getDocsFile, openApiRoute } from './routes.ts';
