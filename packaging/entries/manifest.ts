export * from '@drawbridge/manifest';
export { validate as validateManifest } from '@drawbridge/manifest';
export { createWorkerEvaluator } from '@drawbridge/manifest/node';
