/**
 * Explains a submitted order step by step, for POST /debug/order.
 */
export { type Explanation, OrderExplainer } from './order-explainer.ts';
export { bodyOf, StepBody } from './step.ts';
