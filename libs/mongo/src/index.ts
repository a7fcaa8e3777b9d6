export * from './connect-mongo';
export * from './due-worker';
export * from './mongo-errors';
