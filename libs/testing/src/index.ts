export { startEmbeddedMongo } from '@invoicing/embedded-mongo';
export * from './call';
export * from './chromium';
export * from './temp-folder';
export * from './test-identity';
export * from './test-nats';
export * from './test-store';
export * from './trace-collector';
export * from './wait-for';
