export * from './load-env';
export * from './run-process';
export * from './service-env';
