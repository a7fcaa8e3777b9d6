export * from './listen';
export * from './metrics-server';
export * from './node-flags';
export * from './run-process';
export * from './run-service';
