/**
 * The commands that work on a data folder without serving it: `verify`, `backup`, `restore`,
 * `rotate-backups`, `inspect`, `compact` and `import`.
 *
 * Invariant: `restore` writes only to an empty folder, `compact` only moves commands to an archive,
 * `import` changes only the catalog; the others change nothing in the folder.
 */
export { counted, ProgressLine } from './progress.ts';
export { countLines, PRINTED, refusalLines } from './report-texts.ts';
export { runTool, type ToolName, type ToolRun } from './run-tool.ts';
