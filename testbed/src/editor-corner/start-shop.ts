import { join } from 'node:path';
import { type Shop, type ShopOptions, startShop as startDemoShop } from '@drawbridge/demo-shop';
import { editorCorner } from './editor-corner.ts';

const EDITORS = {
  corners: [editorCorner],
  scripts: { editor: join(import.meta.dirname, 'client/editor.ts') },
};

/** Starts the demo shop with one corner more: editors that only tests need. */
export const startShop = (options: Omit<ShopOptions, 'more'> = {}): Promise<Shop> =>
  startDemoShop({ ...options, more: EDITORS });
