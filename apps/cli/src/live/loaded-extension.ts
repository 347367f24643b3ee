import { realpath } from 'node:fs/promises';

/** Google Chrome ignores --load-extension since 137; Chromium and Chrome for Testing accept it. */
export async function takesExtensions(binary: string): Promise<boolean> {
  const path = await realpath(binary).catch(() => binary);
  return !/[\\/]google[\\/]chrome[\\/]|Google Chrome\.app/i.test(path);
}

export const extensionFlags = (folder: string): readonly string[] => [
  `--disable-extensions-except=${folder}`,
  `--load-extension=${folder}`,
];
