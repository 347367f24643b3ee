import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const PROGRAM = join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LIMIT_MS = 120_000;

/** Runs a file of an installed package with this Node, and waits for its exit. */
export function runPackage(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = import.meta.dirname,
): Promise<Ended> {
  return runCommand(process.execPath, [join(import.meta.dirname, 'node_modules', file), ...args], env, cwd);
}

export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
