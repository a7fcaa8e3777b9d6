export * from './brand';
export * from './contrast';
export * from './fonts';
export * from './stylesheet';
export * from './tokens';
