export * from './app-error';
export * from './checked';
export * from './error-codes';
export * from './error-table';
export * from './warning';
