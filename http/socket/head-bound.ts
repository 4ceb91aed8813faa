/**
 * Sets the longest request head of uWebSockets.js, which reads this variable when it is loaded and
 * has no other setting for it. A query with many condition ids needs more than its default 4,096.
 */
import { HTTP_BOUNDS } from '../bounds/index.ts';

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(HTTP_BOUNDS.headBytes);
