import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkspaces } from './workspaces.ts';

test('[CHT-211] a folder is known if it is in a workspace after resolving links', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workspaces-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['shop', 'shop/src', 'shop-secret', '..shop']) mkdirSync(join(folder, name));
  symlinkSync(join(folder, 'shop-secret'), join(folder, 'shop/way-out'));
  symlinkSync(join(folder, 'shop'), join(folder, 'way-in'));
  const { all, find } = openWorkspaces([join(folder, 'way-in')]);
  expect(all).toEqual([join(folder, 'shop')]);
  expect(find(join(folder, 'way-in/src'))).toBe(join(folder, 'shop/src'));
  expect(find(`${folder}/shop/../shop`)).toBe(join(folder, 'shop'));
  for (const path of [
    '',
    '..',
    'shop-secret',
    '..shop',
    'shop/way-out',
    'shop/none',
    'shop/../shop-secret',
  ]) {
    expect(find(join(folder, path)), path).toBeUndefined();
  }
  expect(find('shop')).toBeUndefined();
  expect(() => openWorkspaces([join(folder, 'none')])).toThrow('ENOENT');
});
