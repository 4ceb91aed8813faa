/**
 * Loaded before a node starts, in each of its threads: the program says that it knows one version
 * less of the engine's rules, as the program before it did.
 */
import { registerHooks } from 'node:module';

const DECLARATION = /export const RULES_VERSION = (\d+)/;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/engine/model/bounds.ts')) return loaded;
    const source = String(loaded.source);
    if (!DECLARATION.test(source)) throw new Error(`${url} has no version of the rules`);
    const older = source.replace(DECLARATION, (_, version) => {
      return `export const RULES_VERSION = ${Number(version) - 1}`;
    });
    return { ...loaded, source: older };
  },
});
