import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { drawbridge } from '../../test/terminal.ts';

const scriptFor = async (shell: string): Promise<string> => {
  const { code, text } = await drawbridge(['completion', shell]);
  expect(code).toBe(0);
  return text;
};

/** Completions that bash offers for the last word. */
function offered(script: string, ...words: readonly string[]): readonly string[] {
  const typed = ['drawbridge', ...words].map((word) => `'${word}'`).join(' ');
  const program = `${script}
COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _drawbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n');
}

test('bash completes commands of one or more words, and their options', async () => {
  const script = await scriptFor('bash');
  expect(offered(script, 'pai')).toEqual(['pair']);
  expect(offered(script, 'map', 'va')).toEqual(['validate']);
  expect(offered(script, 'proxy', 'd')).toEqual(['doctor']);
  expect(offered(script, 'up', '--c')).toEqual(['--cert']);
  expect(offered(script, 'up', '--port', '7', '--behind')).toEqual(['--behind-proxy']);
  expect(offered(script, 'task', 'list', '--h')).toEqual(['--help']);
  expect(offered(script, 'doctor', '--')).toEqual(
    expect.arrayContaining(['--no-browser', '--port', '--data', '--json', '--help']),
  );
});

test('zsh reuses the bash script, fish has its own', async () => {
  expect(await scriptFor('zsh')).toContain('bashcompinit');
  const fish = await scriptFor('fish');
  expect(fish).toContain("-a up -d 'run the relay");
  expect(fish).toContain("-n '__fish_seen_subcommand_from map' -a check");
  expect(fish.split('\n').every((line) => line.startsWith('complete -c drawbridge -n '))).toBe(true);
});

test('refuses other shells', async () => {
  expect(await drawbridge(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('bash, zsh or fish'),
  });
});
