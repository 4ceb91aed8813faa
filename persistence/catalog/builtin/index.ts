/**
 * The catalog that an empty data folder starts with.
 */
export { builtinImage } from './images.ts';
