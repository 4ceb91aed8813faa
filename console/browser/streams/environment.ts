/**
 * What the streams need of the browser. Tests pass their own clock, frames and sockets.
 */

/** The part of a WebSocket that a link uses. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'readyState'> & {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
};

export interface Environment {
  /** The time of day, for texts such as "disconnected since". */
  readonly nowMs: () => number;
  /** Runs a function once after some time. The answer cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Runs a function when the page is drawn next. */
  readonly onNextFrame: (run: () => void) => void;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Opens a socket to a path of the exchange that the page came from. */
  readonly openSocket: (path: string) => Socket;
}

/** The environment of a page. */
export function browserEnvironment(): Environment {
  return {
    nowMs: () => Date.now(),
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onNextFrame: (run) => requestAnimationFrame(run),
    random: () => Math.random(),
    // The page is at `ui/` below the root.
    openSocket: (path) =>
      new WebSocket(new URL(`..${path}`, location.href).href.replace(/^http/, 'ws')),
  };
}
