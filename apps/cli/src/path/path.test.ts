import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { terminalOf } from '../../test/terminal.ts';
import { ownCommand, PROGRAM } from './own-command.ts';
import { createPath } from './path.ts';

/** A clone, a home folder and a project elsewhere. */
function place() {
  const root = mkdtempSync(join(tmpdir(), 'path-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [clone, home, project] = ['clone', 'home', 'project'].map((name) => join(root, name));
  if (clone === undefined || home === undefined || project === undefined) throw new Error('no folders');
  for (const folder of [clone, home, project]) mkdirSync(folder);
  const program = join(clone, 'drawbridge.mjs');
  writeFileSync(program, '#!/bin/sh\necho ours\n');
  chmodSync(program, 0o755);
  const cloneCommand = join(clone, 'drawbridge');
  symlinkSync(program, cloneCommand);
  const bin = join(home, '.local', 'bin');
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const run = async (...args: string[]) => {
    const { terminal, out } = terminalOf('');
    await createPath(() => ({ env, home, program })).run(args, terminal);
    return out.join('\n');
  };
  const command = (more = {}) => ownCommand({ env: { ...env, ...more }, program, cloneCommand });
  return { project, bin, env, run, command, cloneCommand, program };
}

test('puts one link on the PATH, which runs this clone from any folder, and takes it away again', async () => {
  const { run, bin, project, env } = place();
  expect(await run()).toContain(`drawbridge is ${bin}/drawbridge`);
  expect(execFileSync('drawbridge', { cwd: project, env, encoding: 'utf8' })).toBe('ours\n');
  expect(await run('--remove')).toContain(`Removed ${bin}/drawbridge`);
  expect(existsSync(join(bin, 'drawbridge'))).toBe(false);
});

test('leaves a program of that name which is not ours', async () => {
  const { run, bin } = place();
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'drawbridge'), 'theirs');
  await expect(run()).rejects.toThrow('belongs to something else');
  expect(await run('--remove')).toContain('There is no link of ours');
  expect(existsSync(join(bin, 'drawbridge'))).toBe(true);
});

test('names a command that works where the person stands', async () => {
  const { run, command, cloneCommand } = place();
  expect(command()).toBe(cloneCommand);
  expect(command({ npm_command: 'exec' })).toBe(cloneCommand);
  await run();
  expect(command()).toBe('drawbridge');
});

test('help names the command as it works where the person stands', () => {
  const { project, env } = place();
  const help = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { cwd: project, env, encoding: 'utf8' });
  const own = join(import.meta.dirname, '../../../../drawbridge');
  expect(help('pair', '--help')).toContain(`${own} pair --name Phone`);
  expect(help('--help')).toContain(`${own} COMMAND --help`);
});

test('in the npm package it is npx with the name of the package, or drawbridge when it is installed', () => {
  const { project, program, env } = place();
  const installed = { program, cloneCommand: join(project, 'nothing') };
  expect(ownCommand({ ...installed, env: { ...env, npm_command: 'exec' } })).toBe('npx drawbridge-relay');
  expect(ownCommand({ ...installed, env })).toBe('drawbridge');
});
