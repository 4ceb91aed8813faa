/**
 * The plots of this exchange, one line for each. Remove a line and the plot's folder, and the
 * exchange is built and starts without it.
 */
export { consolePlot } from '../console/index.ts';
