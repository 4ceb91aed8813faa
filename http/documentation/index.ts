/**
 * The OpenAPI and AsyncAPI documents, and the page that shows them.
 */
export { getAsyncApi } from './get-asyncapi.ts';
export { getDocs, getDocsFile } from './get-docs.ts';
export { openApiRoute } from './get-openapi.ts';
