import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** One fenced block of a guide: what stands behind the fence, and what is in it. */
export interface Block {
  readonly language: string;
  /** `file=…` is written, `section=…` gets the block put into its root object. */
  readonly file?: string;
  readonly section?: string;
  readonly text: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: (file|section)=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', kind, path, text = '']) => ({
      language,
      text,
      ...(kind !== undefined && path !== undefined && { [kind]: path }),
    }),
  );
}

/** What a step of the guide should have shown and did not. */
export interface Miss {
  readonly line: string;
  readonly output: string;
}

export interface FollowedGuide extends AsyncDisposable {
  readonly folder: string;
  readonly commands: readonly string[];
  readonly misses: readonly Miss[];
}

/** Does what the guide says, in a folder that has the same commands at hand as the root of a clone. */
export async function followGuide(
  markdown: string,
  isRun: (command: string) => boolean = () => true,
): Promise<FollowedGuide> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-guide-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const commands: string[] = [];
  const misses: Miss[] = [];
  let output = '';
  for (const { language, file, section, text } of blocksOf(markdown)) {
    if (file !== undefined) await writeFile(join(folder, file), text);
    if (section !== undefined) await putInto(join(folder, section), text);
    if (language === 'sh') {
      const script = text.trim().split('\n').filter(isRun);
      commands.push(...script);
      output = await runInShell(script.join('\n'), folder);
    }
    if (language === 'text') misses.push(...missesIn(text, output));
  }
  return {
    folder,
    commands,
    misses,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** As a person would: the section goes before the last brace of the file. */
async function putInto(path: string, section: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const end = text.lastIndexOf('}');
  await writeFile(path, `${text.slice(0, end).trimEnd()},\n${section}}\n`);
}

/** A command may fail on purpose: what it says is what counts. */
function runInShell(script: string, cwd: string): Promise<string> {
  const path = `${join(ROOT, 'node_modules/node/bin')}:${process.env['PATH']}`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', script], { cwd, env: { ...process.env, PATH: path } }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

/** The lines must come in their order, others may stand between them. */
function missesIn(expected: string, output: string): Miss[] {
  const came = output.split('\n');
  let from = 0;
  return expected
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const at = came.indexOf(line, from);
      if (at < 0) return [{ line, output }];
      from = at + 1;
      return [];
    });
}
