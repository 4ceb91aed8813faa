/**
 * Sets the longest request head of uWebSockets.js, which reads this variable when it is loaded and
 * has no other setting for it. A query with many condition ids needs more than its default 4,096.
 * It is a file of its own because imports run before the statements of a file.
 */
import { HTTP_BOUNDS } from '../bounds/sizes.ts';

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(HTTP_BOUNDS.headBytes);
