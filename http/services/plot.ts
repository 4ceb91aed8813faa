/**
 * A plot is an optional part of the exchange: a folder that the others never import. It implements
 * the interfaces below, and `venue/plots.ts` names it in one line. Without that line and the folder
 * the rest still compiles, and the exchange starts without what the plot brings.
 *
 * Invariant: whatever a plot does is part of its own folder. The parts that it plugs into know only
 * these interfaces.
 */
import type { Route } from './define-route.ts';

export interface Plot {
  readonly name: string;
  /** Loads the part that runs within the exchange. Commands that need no exchange do without it. */
  load(): Promise<PlotPart>;
}

/** What a plot adds to the exchange. */
export interface PlotPart {
  /** Further routes of the public listener. */
  readonly routes?: readonly Route[];
  /** Further routes of the operator's listener, each with the role that may call it. */
  readonly operatorRoutes?: readonly Route[];
}
