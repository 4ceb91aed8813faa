/**
 * The only import of the socket library, and what is read straight from a connection.
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
  watchSockets,
} from './socket-library.ts';
