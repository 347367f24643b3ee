import { expect, test } from 'vitest';
import { blocksOf, commandsIn, looseCommandsIn } from './test/blocks.ts';
import { follow } from './test/guide.ts';

const page = (...blocks: readonly (readonly [info: string, text: string])[]) =>
  blocks.map(([info, text]) => `\`\`\`${info}\n${text}\n\`\`\`\n`).join('\nAnd then:\n\n');

test('reports output that a command did not print', async () => {
  await using followed = await follow(page(['sh', 'echo one; echo two'], ['text', 'two\none']));
  expect(followed.misses).toEqual([{ line: 'one', output: 'one\ntwo\n' }]);
});

test('reports a command that fails, and one that should have failed', async () => {
  await using followed = await follow(
    page(['sh', 'false\necho never'], ['sh fails', 'true'], ['sh fails', 'false']),
  );
  expect(followed.misses.map(({ line }) => line)).toEqual([
    'false\necho never (exit code 1)',
    'true (exit code 0)',
  ]);
});

test('an ellipsis matches any text and any lines', async () => {
  const shown = 'port …, pid …\n…\nbye';
  await using followed = await follow(page(['sh', 'echo port 1, pid 2; echo x; echo bye'], ['text', shown]));
  expect(followed.misses).toEqual([]);
});

test('waits for the output of a background command, and ends it with the page', async () => {
  const script = 'echo ready; exec sleep 1000';
  await using followed = await follow(
    page(['sh background', script], ['text', 'ready'], ['sh', 'echo after']),
  );
  expect(followed).toMatchObject({ misses: [], commands: [script, 'echo after'] });
});

test('reports a background command that ends without its output', async () => {
  await using followed = await follow(page(['sh background', 'echo broken'], ['text', 'ready']));
  expect(followed.misses).toEqual([{ line: 'ready', output: 'broken\n' }]);
});

test('writes files, runs programs and replaces addresses', async () => {
  const markdown = page(
    ['json file=a/b.json', '{ "port": 7717 }'],
    ['ts run', "import { readFileSync } from 'node:fs';\nconsole.log(readFileSync('a/b.json', 'utf8'));"],
    ['text', '{ "port": 7717 }'],
  );
  await using followed = await follow(markdown, { replace: { 7717: '1' } });
  expect(followed).toMatchObject({ misses: [], commands: ['node snippet-0.ts'] });
});

test('reads commands like a shell', () => {
  expect(commandsIn({ text: "a # what's why\n\nb \\\n  c\nd '{\n  1\n}'\n# only words\n" })).toEqual([
    'a',
    'b \\\n  c',
    "d '{\n  1\n}'",
  ]);
  expect(blocksOf('1. x\n\n   ```sh\n   a\n   ```\n')).toEqual([{ language: 'sh', flags: [], text: 'a\n' }]);
  expect(looseCommandsIn('    npx x --y    explained\n\n    no command\n')).toEqual(['npx x --y']);
});
