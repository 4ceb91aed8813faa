/**
 * The command `place-order`: signs an order and sends it to a running exchange, as a bot would. It
 * uses only the HTTP API of the exchange. Commands that trade too sign and send with its functions.
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
export { runPlaceOrder } from './place-order.ts';
