/**
 * The plots of this exchange, one line for each. Remove a line and the plot's folder, and the
 * exchange is built and starts without it.
 */
export { syncPlot } from '../catalog/sync/index.ts';
export { clusterPlot } from '../cluster/index.ts';
export { consolePlot } from '../console/index.ts';
export { tracingPlot } from '../http/tracing/index.ts';
export { sandboxPlot } from '../sandbox/index.ts';
