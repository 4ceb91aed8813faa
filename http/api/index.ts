/**
 * What an endpoint is (route.ts), how its input is validated, and the interfaces between the server
 * and authentication, limits and metrics.
 */
export * from './documented-parameters.ts';
export * from './header-names.ts';
export * from './query-string.ts';
export * from './request.ts';
export * from './request-trace.ts';
export * from './route.ts';
export * from './server-hooks.ts';
export * from './site.ts';
export * from './validate.ts';
