import { expect, test } from 'vitest';
import { drawbridge, terminalOf } from '../test/terminal.ts';
import { COMMANDS, main } from './main.ts';

const COLUMNS = 80;
const names = COMMANDS.map(({ name }) => name);

test('the overview lists every command, and fits a terminal', async () => {
  const { code, text } = await drawbridge(['--help']);
  expect(code).toBe(0);
  for (const name of names) expect(text).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(COLUMNS);
});

test.each(names)('drawbridge %s --help fits a terminal, and has an example', async (name) => {
  const { code, text } = await drawbridge([...name.split(' '), '--help']);
  expect(code).toBe(0);
  expect(text.startsWith(`drawbridge ${name}: `)).toBe(true);
  expect(text).toMatch(/\n\nExample:\n {2}\S/);
  // One name for the folder and for the exit code.
  expect(text).not.toMatch(/the relay's folder|[Ee]xits with|ends with 1/);
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(COLUMNS);
});

test.each(names)('drawbridge %s takes each option that its help lists', async (name) => {
  const words = name.split(' ');
  const { text } = await drawbridge([...words, '--help']);
  for (const [, option] of text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)) {
    // The parser stops at the first option that it does not know.
    const { code, errors } = await drawbridge([...words, String(option), 'x', '--no-such-option']);
    expect(code).toBe(2);
    expect(errors.replaceAll(/\s+/g, ' ')).toContain("'--no-such-option'");
  }
});

test('wraps errors in an interactive terminal', async () => {
  const { terminal, errors } = terminalOf('');
  const args = ['devices', '--data', '/dev/null/nowhere'];
  expect(await main(args, { ...terminal, columns: 50 })).toBe(1);
  expect(errors.length).toBeGreaterThan(2);
  for (const line of errors) expect(line.length, line).toBeLessThanOrEqual(50);
  expect(errors.join(' ')).toContain('Name another folder: --data DIR, or DRAWBRIDGE_HOME.');
});

test('the longest matching command wins', async () => {
  expect((await drawbridge(['task', 'list', '--help'])).text).toContain('drawbridge task list:');
  expect((await drawbridge(['proxy', '--help'])).text).toContain('drawbridge proxy: ');
  const { code, errors } = await drawbridge(['maap']);
  expect(code).toBe(2);
  expect(errors.trimEnd()).toMatch(/There is no command "maap". Did you mean drawbridge map\?$/);
  const near = await drawbridge(['dveices', '--revoke', 'Phone']);
  expect(near.errors).toContain('"dveices --revoke Phone". Did you mean drawbridge devices?');
  const family = await drawbridge(['map', 'valdate']);
  expect(family.errors).toContain('Did you mean drawbridge map validate?');
});

test.each(['--version', '-v', 'version'])('drawbridge %s prints the version', async (word) => {
  expect(await drawbridge([word])).toMatchObject({ code: 0, text: expect.stringMatching(VERSION) });
});

const VERSION = /^drawbridge \d+\.\d+\.\d+, Node \d+\.\d+\.\d+\n?$/;
