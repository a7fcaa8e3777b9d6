// What needs the driver of the store: a file of its own beside the command line's, so that every other call does without reading it.
export { backUp, restore } from './store-backup';
export { verifyStore } from './verify-store';
