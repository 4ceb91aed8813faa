/**
 * The command `place-order`: signs an order and sends it to a running exchange, as a bot would. It
 * uses only the HTTP API of the exchange. Commands that trade too sign and send with its functions.
 */
export {
  type Call,
  domainFor,
  exchangeReply,
  fetchApiKey,
  fieldsOf,
  type Json,
  type Reply,
  refusalText,
  SALT_RANGE,
  send,
  signedCall,
  textOf,
} from './exchange-call.ts';
export { runPlaceOrder } from './place-order.ts';
