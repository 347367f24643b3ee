import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = '{apps,packages,packaging/bin,scripts}/**/*.{ts,tsx,mjs,cjs}';
const NO_SOURCES = ['**/node_modules/**', '**/.cache/**', '**/dist/**', '**/*.test.*', '**/test/**'];

/** The printed text: concatenated literals joined, escapes resolved. */
const spoken = (source: string): string =>
  source
    .replaceAll(/['`]\s*\+\s*['`]/g, '')
    .replaceAll(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\(['"`])/g, '$1');

/** True when the text contains all fixed pieces of the message, in order. */
function isSaid(message: string, text: string): boolean {
  let from = 0;
  return message.split('…').every((piece) => {
    const at = text.indexOf(piece.trim(), from);
    from = at + piece.trim().length;
    return at >= 0;
  });
}

test('every message of the troubleshooting page is in the sources', async () => {
  const page = await readFile(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
  const messages = [...page.matchAll(/^\| `([^|]+)` \|/gm)].map(([, message = '']) => message);
  const paths = await Array.fromAsync(glob(SOURCES, { cwd: ROOT, exclude: NO_SOURCES }));
  const lines = (await Promise.all(paths.map((path) => readFile(join(ROOT, path), 'utf8')))).flatMap(
    (source) => spoken(source).split('\n'),
  );
  expect(messages.length).toBeGreaterThan(50);
  expect(messages.filter((message) => !lines.some((line) => isSaid(message, line)))).toEqual([]);
});

test('a message that is in no source is reported', () => {
  const source = "throw new Error('Port ' + port + ' is taken. Choose another.')";
  expect(isSaid('Port … is taken.', source)).toBe(true);
  expect(isSaid('Port … is busy.', source)).toBe(false);
});
