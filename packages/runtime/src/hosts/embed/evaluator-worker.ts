import '@drawbridge/manifest/browser/evaluator-worker';
