/**
 * The command `place-order`: signs an order and sends it to a running exchange, as a bot would. It
 * uses only the HTTP API of the exchange.
 */
export { runPlaceOrder } from './place-order.ts';
