/**
 * The process of the floor for orders: started by `fork` with its terms as JSON in its first
 * argument; sends its URL, and ends with its parent.
 */
import { OrderFloor } from './order-floor.ts';
import type { ReferenceTerms } from './order-terms.ts';

const terms = JSON.parse(process.argv[2] ?? '') as ReferenceTerms; // ours
const url = await new OrderFloor(terms).start(terms);
process.once('disconnect', () => process.exit());
process.send?.(url);
