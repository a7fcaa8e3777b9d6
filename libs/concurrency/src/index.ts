export * from './backoff';
export * from './batched';
export * from './coalesced-runs';
export * from './fresh-cache';
export * from './gathered';
export * from './share-in-flight';
export * from './task-pool';
export * from './turns-by-key';
