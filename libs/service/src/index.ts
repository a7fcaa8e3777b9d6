export * from './listen';
export * from './metrics-server';
export * from './run-process';
export * from './run-service';
