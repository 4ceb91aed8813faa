/**
 * Command lines made from tables of options. The parser, the help, the settings file,
 * `config print` and the documentation all use one table, so they agree. The benchmarks and the
 * simulator use such tables too.
 *
 * Invariant: nothing that was typed or set is ignored. Every fault is reported, all at once, each
 * with the option, its limit and the value, but never the value of a secret.
 */
export { exitCodeOf } from './exit-codes.ts';
export {
  type DocumentedCommand,
  HELP_COLUMNS,
  helpText,
  optionsMarkdown,
  settingsText,
} from './help.ts';
export {
  choiceKind,
  decimalKind,
  type Kind,
  SWITCH,
  testedKind,
  textKind,
  textListKind,
  wholeKind,
  wholeListKind,
} from './kinds.ts';
export { type ReadText, readNamedJson, readNamedText } from './named-files.ts';
export {
  fallbackTextOf,
  flagTable,
  type OptionTable,
  option,
  optional,
  printedValue,
  settingTable,
  type ValuesOf,
} from './option-table.ts';
export { type CommandSyntax, parseArguments, UsageError } from './parse-arguments.ts';
export type {
  CommandResult,
  CommandRun,
  ProgramCommand,
  ProgressOptions,
} from './program-command.ts';
export { readProgramOptions } from './program-options.ts';
export {
  FROM_DEFAULT,
  parseJsonFile,
  parseSettingsFile,
  type ResolvedOptions,
  relationFaults,
  resolveOptions,
  type Sources,
} from './resolve-options.ts';
