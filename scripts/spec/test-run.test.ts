import { expect, test } from 'vitest';
import { type FileReport, verdict } from './test-run.ts';

const file = (name: string, ...tests: [title: string, status: string][]): FileReport => ({
  name,
  status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
});

const steady = file('/a.test.ts', ['adds', 'passed']);
const failing = file('/b.test.ts', ['loads', 'failed'], ['saves', 'passed']);
const passing = file('/b.test.ts', ['loads', 'passed'], ['saves', 'passed']);

test('a run without failures is green', () => {
  expect(verdict([steady, passing], [], [])).toMatchObject({ ok: true, flaky: [] });
});

test('a test that passes only when run again is flaky and fails the run', () => {
  expect(verdict([steady, failing], [passing], [])).toMatchObject({
    ok: false,
    flaky: ['loads'],
    unknown: ['loads'],
  });
});

test('a known flake is reported and does not fail the run', () => {
  const known = [{ test: 'loads', cause: 'a port that is taken', since: '2026-11-18' }];
  expect(verdict([steady, failing], [passing], known)).toMatchObject({
    ok: true,
    flaky: ['loads'],
    unknown: [],
  });
});

test('a test that fails twice is broken, even where it is a known flake', () => {
  const known = [{ test: 'loads', cause: 'a port that is taken', since: '2026-11-18' }];
  expect(verdict([steady, failing], [failing], known)).toMatchObject({ ok: false, flaky: [] });
});

test('a file that fails before its tests is flaky under its own name', () => {
  const broken: FileReport = { name: '/b.test.ts', status: 'failed', assertionResults: [] };
  expect(verdict([broken], [passing], [])).toMatchObject({ ok: false, unknown: ['/b.test.ts'] });
});
