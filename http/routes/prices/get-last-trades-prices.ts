import { defineRoute } from '../../services/index.ts';
import { postLastTradesPrices } from './post-last-trades-prices.ts';

/**
 * GET /last-trades-prices: the same as its POST, with the same JSON body, which the Rust clients
 * send with a GET (wire 0.9).
 */
export const getLastTradesPrices = defineRoute({ ...postLastTradesPrices, method: 'GET' });
