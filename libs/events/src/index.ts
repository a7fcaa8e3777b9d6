export * from './broker-options';
export * from './connect-events';
export * from './consume-events';
export * from './event-relay';
export * from './nats-server';
export * from './outbox';
export * from './outbox-relay';
export * from './signal';
