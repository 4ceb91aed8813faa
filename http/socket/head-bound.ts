/**
 * Tells uWebSockets.js how long a request's head may be: it reads this variable when it is loaded
 * and has no other way to be told. A list of condition ids in a query needs more than its 4,096.
 */
import { HTTP_BOUNDS } from '../bounds/index.ts';

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(HTTP_BOUNDS.headBytes);
