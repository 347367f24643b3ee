import { fileURLToPath } from 'node:url';

/** The program is in `lib`, one flat folder; what it hands out as files is in `assets`, beside it. */
export const assetPath = (name: string): string =>
  fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
