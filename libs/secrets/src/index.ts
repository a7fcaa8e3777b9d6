export * from './secret-sealer';
export { derivedKey, openBytes, sealBytes } from './sealed-bytes';
