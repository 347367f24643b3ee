import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buildExtension, MODES, type Mode } from './index.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const PAGE_CODE_BYTES = 120_000;

const filesOf = async (folder: string): Promise<readonly (readonly [name: string, text: string])[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const),
  );
};

/** Every spelling of evaluating text as code; re2js has a harmless method of that name. */
const EVALUATION =
  /(?<![.\w$])eval\s*\((?![^()]*\)\s*\{)|\b(?:window|globalThis|self)\.eval\b|\bnew\s+Function\b|(?<![.\w$])Function\s*\(|\(0,\s*eval\)|set(?:Timeout|Interval)\s*\(\s*["'`]|importScripts\s*\(/;
const REMOTE_CODE =
  /<script[^>]+src=["']?(?:https?:)?\/\/|import\s*\(\s*["'`]https?:|new\s+Worker\(\s*["'`]https?:/;

describe.each<Mode>(['production', 'store'])('the %s build', (mode) => {
  let files: Awaited<ReturnType<typeof filesOf>>;
  let manifest: Record<string, unknown>;
  beforeAll(async () => {
    files = await filesOf(await buildExtension({ mode }));
    manifest = JSON.parse(files.find(([name]) => name === 'manifest.json')?.[1] ?? '{}');
  });

  test('evaluates no text, and loads no remote code', () => {
    const scripts = files.filter(([name]) => /\.(js|html)$/.test(name));
    expect(scripts.length).toBeGreaterThan(5);
    for (const [name, text] of scripts) {
      expect(EVALUATION.exec(text)?.[0], name).toBeUndefined();
      expect(REMOTE_CODE.exec(text)?.[0], name).toBeUndefined();
    }
  });

  test('requests no host permission at install, and accepts no external connection', () => {
    expect(manifest['manifest_version']).toBe(3);
    for (const absent of [
      'host_permissions',
      'content_scripts',
      'externally_connectable',
      'web_accessible_resources',
      'key',
    ])
      expect(manifest[absent], absent).toBeUndefined();
    expect(manifest['optional_host_permissions']).toEqual(['http://*/*', 'https://*/*']);
    const debuggers = mode === 'store' ? [] : ['debugger'];
    expect(manifest['permissions']).toEqual([
      ...[
        'activeTab',
        'alarms',
        'contextMenus',
        'offscreen',
        'scripting',
        'sidePanel',
        'storage',
        'tabGroups',
      ],
      ...debuggers,
    ]);
    const policy = manifest['content_security_policy'];
    expect(JSON.stringify(policy)).not.toContain('unsafe-eval');
    expect(policy).toMatchObject({ extension_pages: expect.stringContaining("script-src 'self';") });
  });

  test('page code is at most 120 kB', () => {
    const code = files.find(([name]) => name === 'page.js')?.[1] ?? '';
    const bytes = gzipSync(code, { level: 9 }).length;
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThanOrEqual(PAGE_CODE_BYTES);
  });
});

test('the README explains each permission', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const manifest = JSON.parse(await readFile(join(await buildExtension(), 'manifest.json'), 'utf8'));
  for (const permission of manifest.permissions) expect(readme).toContain(`| \`${permission}\` |`);
});

test('builds the same sources once', async () => {
  expect(await buildExtension()).toBe(await buildExtension());
  expect(MODES).toContain('test');
});
