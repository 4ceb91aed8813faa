/**
 * The commands that work on a data folder.
 */
