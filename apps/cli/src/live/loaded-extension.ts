import { realpath } from 'node:fs/promises';

/** Google's own Chrome takes no extension from its command line since 137; Chromium and Chrome for Testing do. */
export async function takesExtensions(binary: string): Promise<boolean> {
  const path = await realpath(binary).catch(() => binary);
  return !/[\\/]google[\\/]chrome[\\/]|Google Chrome\.app/i.test(path);
}

export const extensionFlags = (folder: string): readonly string[] => [
  `--disable-extensions-except=${folder}`,
  `--load-extension=${folder}`,
];
