export * from './logger';
export * from './metrics';
export * from './start-tracing';
export * from './tracing';
