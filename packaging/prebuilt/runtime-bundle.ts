import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { assetPath } from './asset.ts';

interface Bundle {
  readonly code: string;
  readonly gzipBytes: number;
}

/** Replaces `packages/runtime/src/bundle/runtime-bundle.ts`, which bundles from sources. */
const scriptOf = (name: string): (() => Promise<Bundle>) => {
  let reading: Promise<Bundle> | undefined;
  return () => {
    reading ??= readFile(assetPath(`scripts/${name}.js`), 'utf8').then((code) => ({
      code,
      gzipBytes: gzipSync(code, { level: 9 }).length,
    }));
    return reading;
  };
};

export const surfaceScript = scriptOf('surface');
export const embedScript = scriptOf('embed');
export const evaluatorScript = scriptOf('evaluator');

export const buildScript = (): never => {
  throw new Error(
    'An installed drawbridge has no sources to build from. Build in a clone of its repository.',
  );
};
