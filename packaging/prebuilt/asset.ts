import { fileURLToPath } from 'node:url';

/** The program is in the flat folder `lib`; files that it serves are in `assets` beside it. */
export const assetPath = (name: string): string =>
  fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
