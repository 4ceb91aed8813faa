/**
 * The command `place-order`.
 */
