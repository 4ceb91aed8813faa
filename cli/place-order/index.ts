/**
 * The commands `place-order`, which signs an order and sends it to a running exchange, as a bot
 * would, and `sign-order`, which prints it. They use only the HTTP API of the exchange. What trades
 * or signs too does it with their functions.
 */
export {
  type Call,
  domainFor,
  type ExchangeReply,
  exchangeReply,
  fetchApiKey,
  fieldsOf,
  type JsonFields,
  refusalText,
  replyText,
  SALT_RANGE,
  send,
  signedCall,
} from './exchange-call.ts';
export { orderFaults, planOrder, requestOf } from './order-plan.ts';
export { runPlaceOrder, runSignOrder, signedOrder, signPlanned } from './place-order.ts';
