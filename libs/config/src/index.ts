export * from './load-env';
export * from './service-env';
