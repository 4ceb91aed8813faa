/**
 * Explains a submitted order step by step, for POST /debug/order.
 */
export { OrderExplainer } from './order-explainer.ts';
export { postDebugOrder } from './post-debug-order.ts';
