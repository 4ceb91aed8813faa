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
export {
  addSocketPath,
  allOf,
  type ClientSocket,
  type ConnectionCounter,
  closeListener,
  createApp,
  type HttpRequest,
  type HttpResponse,
  type Listener,
  listenOn,
  portOf,
  type SocketApp,
  type SocketHost,
  type SocketPath,
  type TlsFiles,
  watchConnections,
} from './socket-library.ts';
