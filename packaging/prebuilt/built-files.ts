import { assetPath } from './asset.ts';

/** In place of `apps/web/serve/built-files.ts`, which builds from sources. */
export const builtFiles = async (): Promise<string> => assetPath('web');
