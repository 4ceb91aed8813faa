/**
 * The command `place-order`: signs an order and sends it to a running exchange, as a bot would. It
 * knows the exchange by its HTTP interface only.
 */
export { runPlaceOrder } from './place-order.ts';
