export { isPublicAddress } from '../public-address.ts';
export { createWorkerEvaluator, type WorkerEvaluatorOptions } from './evaluator.ts';
// Import loaders.
export { readContained } from './loaders/contained-file.ts';
export { createHttpsLoader, type HttpsOptions } from './loaders/https-loader.ts';
export { createLocalLoader, type LocalOptions } from './loaders/local-loader.ts';
export { createMapLoader, type LoaderOptions } from './loaders/map-loader.ts';
export { createPinnedRequest, type RequestPinned } from './loaders/pinned-request.ts';
export { openStorage, type Storage, type StorageOptions, type StoredMap } from './loaders/storage-loader.ts';
export type { Scope } from './loaders/storage-scope.ts';
export { createSchemaChecks, type SchemaChecks } from './schema-checks.ts';
