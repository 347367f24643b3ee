import { expect, test } from 'vitest';
import { blocksOfDetails, partsOfBlocks } from './content-blocks.ts';

test('[CHT-315] each block becomes a part of the message', () => {
  const content_blocks = [
    { type: 'thinking', label: 'Thinking', content: 'Which test fails?', collapsed: true },
    { type: 'markdown', content: 'I ran the **tests**.' },
    { type: 'terminal', command: 'npm test', stdout: '3 passed', stderr: '1 failed', exit_code: 1 },
    { type: 'file_changes', summary: '1 file', files: [{ path: 'a.ts', added: 3, removed: 1 }] },
    { type: 'tool_output', label: 'read', status: 'done', content: 'text', call_id: 'c1' },
    { type: 'task_list', label: 'Plan', tasks: [{ text: 'Fix', state: 'in_progress' }, { text: 'Ship' }] },
    { type: 'hologram', label: 'New', content: 'of the future' },
    { type: 'code', content: 'x = 1' },
  ];
  expect(partsOfBlocks({ content_blocks })).toMatchObject([
    { content: 'Which test fails?', details: { kind: 'thought' } },
    { content: 'I ran the **tests**.' },
    {
      content: '$ npm test\n3 passed\n1 failed',
      details: { kind: 'tool_call', title: 'npm test', status: 'failed', output: '3 passed\n1 failed' },
    },
    { details: { title: '1 file', tool_kind: 'edit', locations: [{ path: 'a.ts' }] } },
    { details: { kind: 'tool_call', tool_call_id: 'c1', status: 'completed', output: 'text' } },
    {
      details: {
        kind: 'plan',
        steps: [
          { text: 'Fix', status: 'active' },
          { text: 'Ship', status: 'pending' },
        ],
      },
    },
    { content: '**New**\nof the future' },
    { content: '```\nx = 1\n```' },
  ]);
});

test('[CHT-315] blocks that say nothing leave the content as it is', () => {
  for (const content_blocks of [
    undefined,
    null,
    [],
    'text',
    [null, 7, {}],
    [{ type: 'markdown', content: 7 }],
  ])
    expect(partsOfBlocks({ content_blocks })).toBeUndefined();
});

test('[CHT-316] our details become blocks, and come back as they were', () => {
  const call = {
    ...{ kind: 'tool_call', tool_call_id: 'c1', title: 'npm test', status: 'completed', output: 'ok' },
  } as const;
  const [block] = blocksOfDetails(call, 'npm test: ok') ?? [];
  expect(block).toEqual({
    type: 'tool_call',
    label: 'npm test',
    status: 'done',
    content: 'ok',
    call_id: 'c1',
  });
  expect(partsOfBlocks({ content_blocks: [block] })).toMatchObject([{ details: call }]);
  const plan = {
    kind: 'plan',
    steps: [
      { text: 'Fix', status: 'active' },
      { text: 'Ship', status: 'completed' },
    ],
  };
  const blocks = blocksOfDetails(plan, '');
  expect(blocks).toMatchObject([{ type: 'plan', total: 2, completed: 1 }]);
  expect(partsOfBlocks({ content_blocks: blocks })).toMatchObject([{ details: plan }]);
  expect(blocksOfDetails({ kind: 'thought' }, 'Hm.')).toMatchObject([{ type: 'thinking', content: 'Hm.' }]);
});

test('[CHT-316] details of any shape break nothing', () => {
  for (const details of [
    undefined,
    null,
    'plan',
    { kind: 'plan', steps: 7 },
    { kind: 'tool_call' },
    { kind: 'usage' },
  ])
    expect(() => blocksOfDetails(details, 'text')).not.toThrow();
});
