export * from './app-error';
export * from './error-table';
export * from './checked';
