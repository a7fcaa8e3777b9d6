export * from './access';
export * from './call-context';
export * from './credentials';
export * from './list-limit';
export * from './principal';
export * from './rpc-client';
export * from './rpc-server';
export * from './service-definition';
