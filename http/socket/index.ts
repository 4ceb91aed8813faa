/**
 * The only folder that imports the socket library. It also reads the addresses of clients.
 */
export {
  type AddressReader,
  createAddressReader,
  isAddressRange,
  isLoopbackHost,
  plainAddress,
} from './client-address.ts';
export { RenewableApp } from './renewable-app.ts';
export {
  addSocketPath,
  allOf,
  type ClientSocket,
  type ConnectionCounter,
  type HttpRequest,
  type HttpResponse,
  type SocketApp,
  type SocketHost,
  type SocketPath,
  type TlsFiles,
  watchConnections,
} from './socket-library.ts';
