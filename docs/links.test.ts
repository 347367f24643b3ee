import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const exclude = ['**/node_modules/**', '**/.cache/**', 'dist/**'];
const pages = await Array.fromAsync(glob('**/*.md', { cwd: ROOT, exclude }));
const text = (page: string) => readFile(join(ROOT, page), 'utf8');

/** GitHub's anchors: https://docs.github.com/en/get-started/writing-on-github/section-links */
const anchorsOf = (markdown: string): Set<string> =>
  new Set(
    [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

test('every link and every picture has a target', async () => {
  const lost: string[] = [];
  for (const page of pages) {
    const outside = (await text(page))
      .replaceAll(/^( *)```[^\n]*\n[\s\S]*?^\1```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '');
    for (const [, link = ''] of outside.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const isThere = existsSync(join(ROOT, target));
      if (!isThere || (anchor && target.endsWith('.md') && !anchorsOf(await text(target)).has(anchor)))
        lost.push(`${page}: ${link}`);
    }
  }
  expect(lost).toEqual([]);
});

test('every test that the security pages name exists', async () => {
  const sources = await Array.fromAsync(glob('{apps,packages,e2e,testbed}/**/*.ts', { cwd: ROOT, exclude }));
  const named = (await Promise.all(['SECURITY.md', 'docs/security-model.md'].map(text))).flatMap((page) =>
    // A path of a site begins with a slash.
    [...page.matchAll(/`(\w[\w./-]*\/[\w./-]+|[\w.-]+\.test\.ts)`/g)].map(([, path = '']) => path),
  );
  expect(named.length).toBeGreaterThan(60);
  const isThere = (path: string) =>
    existsSync(join(ROOT, path)) || sources.some((source) => source.includes(`/${path}`));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
