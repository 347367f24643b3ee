import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Block, blocksOf, commandsIn, looseCommandsIn } from './test/blocks.ts';
import { firstLine } from './test/guide.ts';
import { isNotRun, NOT_RUN } from './test/not-run.ts';

const ROOT = join(import.meta.dirname, '..');
const PROGRAMS = new Set(['ts', 'tsx', 'js', 'python']);

async function files(pattern: string): Promise<string[]> {
  const exclude = ['**/node_modules/**', '**/.cache/**', 'dist/**', 'bench/**'];
  const found = await Array.fromAsync(glob(pattern, { cwd: ROOT, exclude }));
  return found.map((path) => path.replaceAll('\\', '/')).sort();
}

const texts = async (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => [path, await readFile(join(ROOT, path), 'utf8')] as const));

const PAGES = await texts(await files('**/*.md'));
const TESTS = await texts(await files('docs/**/*.test.ts'));
/** Read from the tests, so that this list cannot be wrong. */
const FOLLOWED = new Set(
  TESTS.filter(([, source]) => source.includes('followGuide(')).flatMap(([, source]) =>
    [...source.matchAll(/'([^'\n]+\.md)'/g)].map(([, page = '']) => page),
  ),
);

/** Commands and programs that a reader of the page would run. */
const commandsOf = (block: Block): string[] => {
  if (block.language === 'sh') return commandsIn(block);
  return PROGRAMS.has(block.language) ? [firstLine(block.text)] : [];
};

const isDone = (block: Block): boolean =>
  block.language === 'sh' || block.file !== undefined || block.flags.includes('run');

test('every command and program of every page is run by a test, or listed with a reason', () => {
  const idle = PAGES.flatMap(([page, markdown]) => [
    ...blocksOf(markdown).flatMap((block) =>
      commandsOf(block)
        .filter((command) => !isNotRun(page, command) && !(FOLLOWED.has(page) && isDone(block)))
        .map((command) => `${page}: ${command}`),
    ),
    ...looseCommandsIn(markdown)
      .filter((command) => !isNotRun(page, command))
      .map((command) => `${page}: ${command}, which is outside of a \`\`\`sh block`),
  ]);
  expect(idle).toEqual([]);
});

test('every command listed as not run is on its page', () => {
  const stale = Object.entries(NOT_RUN).flatMap(([page, listed]) => {
    const markdown = PAGES.find(([path]) => path === page)?.[1] ?? '';
    const commands = [...blocksOf(markdown).flatMap(commandsOf), ...looseCommandsIn(markdown)];
    return Object.keys(listed).filter((command) =>
      command === '*' ? commands.length === 0 : !commands.includes(command),
    );
  });
  expect(stale).toEqual([]);
});

test('every block has a language, and on a followed page every output block follows a command', () => {
  const odd = PAGES.flatMap(([page, markdown]) => {
    const blocks = blocksOf(markdown);
    return blocks.flatMap((block, index) => {
      const isAnswer = block.language === 'text' && FOLLOWED.has(page);
      const asked = blocks[index - 1];
      if (block.language === '') return [`${page}: ${firstLine(block.text)}`];
      if (!isAnswer || (asked !== undefined && commandsOf(asked).length > 0)) return [];
      return [`${page}: no command prints ${firstLine(block.text)}`];
    });
  });
  expect(odd).toEqual([]);
});

test('every piece of JSON is JSON', () => {
  for (const [page, markdown] of PAGES)
    for (const { language, section, text } of blocksOf(markdown))
      if (language === 'json')
        expect(
          () => JSON.parse(section === undefined ? text : `{${text}}`),
          `${page}: ${text}`,
        ).not.toThrow();
});
