import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { billOfMaterials, licenceList } from './bill.ts';
import { browserModules } from './browser-parts.ts';
import { ROOT } from './places.ts';
import { buildProgram } from './program.ts';
import { type ThirdParty, thirdPartyOf } from './third-party.ts';

/** Dependencies that our packages name, and all that these bring into Node. Both may only shrink. */
const MOST_NAMED = 40;
const MOST_IN_PROGRAM = 95;

/** Licences that are compatible with ours for every user. */
const FREE = /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0|Unlicense|\(MIT OR Apache-2\.0\))$/;

let carried: readonly ThirdParty[] = [];
let ours: readonly string[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'program-'));
  try {
    const [program, browser] = await Promise.all([buildProgram(folder), browserModules()]);
    carried = await thirdPartyOf({ program, browser });
    ours = [...program, ...browser]
      .map((id) => relative(ROOT, id))
      .filter((id) => !id.includes('node_modules/'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);

test('bundled dependencies are bounded, and none has a build step', () => {
  const program = carried.filter(({ parts }) => parts.includes('program'));
  expect(carried.filter(({ direct }) => direct).length).toBeLessThanOrEqual(MOST_NAMED);
  expect(program.length).toBeGreaterThan(30);
  expect(program.length, program.map(({ name }) => name).join(' ')).toBeLessThanOrEqual(MOST_IN_PROGRAM);
  const names = program.map(({ name }) => name);
  for (const tool of ['vite', 'rolldown', 'wxt', 'playwright-core', 'vitest'])
    expect(names).not.toContain(tool);
});

test('the package contains the demo shop, and nothing that only tests need', () => {
  expect(ours).toContain('apps/demo-shop/src/server.ts');
  expect(ours.filter((path) => /^testbed\/|\/test\/|\.(?:test|contract)\.ts$/.test(path))).toEqual([]);
});

test('every licence permits bundling', () => {
  const others = carried.filter(({ licence }) => !FREE.test(licence));
  expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('the bill of materials and the licence list name each dependency', () => {
  const bill = JSON.parse(billOfMaterials('drawbridge', '1.2.3', carried));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  expect(bill.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const refs = bill.components.map((component: { purl: string }) => component.purl);
  expect(new Set(refs).size).toBe(carried.length);
  expect(refs).toContainEqual(expect.stringMatching(/^pkg:npm\/%40hono\/node-server@\d/));
  expect(bill.dependencies[0].dependsOn).toEqual(refs);
  const list = licenceList(carried);
  for (const { name, version, licence } of carried) expect(list).toContain(`${name} ${version}  ${licence}`);
});
