/** A style sheet: esbuild puts it into the page's own. */
declare module '*.css' {}
