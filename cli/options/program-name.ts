/** How a person starts the program, for help and for messages that name a command. */

/** npm installs packages in folders of this name; a clone is in none. */
const isPackage = import.meta.url.includes('/node_modules/');

/** In a clone a script that finds the Node of the packages; elsewhere npm finds that script. */
export const PROGRAM = isPackage ? 'npx outcome-exchange' : './outcome-exchange';
