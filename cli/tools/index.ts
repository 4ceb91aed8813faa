/**
 * The commands that work on a data folder without serving it: `verify`, `backup`, `restore`,
 * `rotate-backups`, `inspect`, `compact`, `import` and `sync`.
 *
 * Invariant: `restore` writes only to an empty folder, `compact` only moves commands to an archive,
 * `import` and `sync` change only the catalog; the others change nothing in the folder.
 */
export { runTool, type ToolName, type ToolResult, type ToolRun } from './run-tool.ts';
