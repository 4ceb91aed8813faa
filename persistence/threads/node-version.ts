/**
 * Stops a process or thread that runs on too old a Node with one clear sentence. It imports nothing
 * and must be imported before any native module, because better-sqlite3 would crash first.
 */
const OLDEST_MAJOR = 22;

const major = Number(process.versions.node.split('.')[0]);
if (!(major >= OLDEST_MAJOR)) {
  process.stderr.write(
    `outcome-exchange needs Node ${OLDEST_MAJOR} or later, and this is ${process.versions.node}. ` +
      'Run it with `npm start`, which brings its own.\n',
  );
  process.exit(1);
}

export {};
