/**
 * The console's pages, as they run in a browser. `main.tsx` and `operator.tsx` are what the pages
 * load; the rooms below are what they are made of.
 */
export {};
