import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Command, UsageError } from '../command.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { PROGRAM } from './own-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OPTIONS = {
  folder: {
    type: 'string',
    value: 'DIR',
    help: 'a folder of your PATH; ~/.local/bin unless given, or ~/bin if only that is on the PATH',
  },
  remove: { type: 'boolean', help: 'take the link away again' },
} as const satisfies Options;

const HELP = `drawbridge path [--remove] [--folder DIR]

Puts the command drawbridge on your PATH: one link in DIR, to
this installation. Nothing else is changed.

${optionLines(OPTIONS)}

Example:
  ./drawbridge path`;

export interface PathPlace {
  readonly env: Environment;
  readonly home: string;
  readonly program: string;
}

export function createPath(place: () => PathPlace): Command {
  return {
    name: 'path',
    summary: 'put the command drawbridge on your PATH',
    help: HELP,
    async run(args, terminal) {
      const { values, positionals } = readOptions(args, OPTIONS);
      if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
      const { folder: chosen, remove } = values;
      const { env, home, program } = place();
      const folder = chosen ?? usualFolder(env, home);
      const link = join(folder, 'drawbridge');
      const standing = await standingOf(link, program);
      if (remove === true) {
        if (standing === 'ours') await rm(link);
        terminal.print(standing === 'ours' ? `Removed ${link}.` : `There is no link of ours at ${link}.`);
        return 0;
      }
      if (standing === 'other')
        throw new Error(
          `${link} belongs to something else and stays as it is. Choose another folder: --folder`,
        );
      await mkdir(folder, { recursive: true });
      if (standing === 'none') await symlink(program, link);
      terminal.print(`drawbridge is ${link}, a link to this installation.`);
      terminal.print('To take it away: drawbridge path --remove');
      if (!isOnPath(folder, env)) {
        terminal.print(`${folder} is not on your PATH yet. Add it, in this shell and in your profile:`);
        terminal.print(`  export PATH="${folder}:$PATH"`);
      }
      return 0;
    },
  };
}

export const path = createPath(() => ({ env: process.env, home: homedir(), program: PROGRAM }));

function usualFolder(env: Environment, home: string): string {
  const folders = [join(home, '.local', 'bin'), join(home, 'bin')];
  return folders.find((each) => isOnPath(each, env)) ?? join(home, '.local', 'bin');
}

const isOnPath = (folder: string, env: Environment): boolean =>
  (env['PATH'] ?? '').split(delimiter).includes(folder);

async function standingOf(link: string, program: string): Promise<'none' | 'ours' | 'other'> {
  const found = await lstat(link).catch(() => undefined);
  if (found === undefined) return 'none';
  return found.isSymbolicLink() && (await readlink(link)) === program ? 'ours' : 'other';
}
