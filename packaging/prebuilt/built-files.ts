import { assetPath } from './asset.ts';

/** Replaces `apps/web/serve/built-files.ts`, which builds from sources. */
export const builtFiles = async (): Promise<string> => assetPath('web');
