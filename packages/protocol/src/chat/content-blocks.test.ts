import { expect, test } from 'vitest';
import { blocksOfDetails } from './blocks-of-details.ts';
import { partsOfBlocks } from './content-blocks.ts';

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

test('[CHT-315] an artifact, a prompt, a queued message, a notice, an error and a status become cards', () => {
  const content_blocks = [
    { type: 'artifact', label: 'chart.svg', artifact_type: 'image/svg+xml', content: '<svg/>' },
    {
      ...{ type: 'prompt', label: 'Run it?', content: 'rm -r build' },
      actions: [{ id: 'y', label: 'Yes' }, { id: 'n' }, 7],
    },
    { type: 'queued', label: 'Next', content: 'Then ship.', client_message_id: 'c1', status: 'queued' },
    { type: 'banner', content: 'Almost full.', tone: 'warning', actions: [{ id: 'o', label: 'Open' }] },
    { type: 'error', label: 'Crash', content: 'It ended.', tone: 'info' },
    { type: 'status', label: 'Tests', status: 'working' },
    { type: 'notice' },
  ];
  expect(partsOfBlocks({ content_blocks })).toEqual([
    {
      content: '<svg/>',
      card: { kind: 'artifact', label: 'chart.svg', tone: 'info', status: 'image/svg+xml', actions: [] },
    },
    {
      content: 'rm -r build',
      card: { kind: 'prompt', label: 'Run it?', tone: 'info', status: '', actions: ['Yes', 'n'] },
    },
    {
      content: 'Then ship.',
      card: { kind: 'queued_message', label: 'Next', tone: 'info', status: 'queued', actions: [] },
    },
    {
      content: 'Almost full.',
      card: { kind: 'notice', label: '', tone: 'warning', status: '', actions: ['Open'] },
    },
    { content: 'It ended.', card: { kind: 'error', label: 'Crash', tone: 'error', status: '', actions: [] } },
    {
      content: 'Tests',
      card: { kind: 'status', label: 'Tests', tone: 'info', status: 'working', actions: [] },
    },
  ]);
});

test('[CHT-316] changed files of ours become file_changes with counted lines', () => {
  const diffs = [
    { path: 'a.ts', old_text: 'one\ntwo\nthree\n', new_text: 'one\n2\nthree\nfour\n' },
    { path: 'b.ts', old_text: null, new_text: 'new\n' },
  ];
  const details = { kind: 'tool_call', tool_call_id: 'c1', title: 'Edit', status: 'completed', diffs };
  expect(blocksOfDetails(details, '')).toEqual([
    { type: 'tool_call', label: 'Edit', status: 'done', content: '', call_id: 'c1' },
    {
      ...{ type: 'file_changes', summary: '2 files' },
      files: [
        { path: 'a.ts', added: 2, removed: 1 },
        { path: 'b.ts', added: 1, removed: 0 },
      ],
    },
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
  const made = blocksOfDetails(call, 'npm test: ok');
  expect(made).toEqual([
    { type: 'tool_call', label: 'npm test', status: 'done', content: '', call_id: 'c1' },
    { type: 'tool_result', label: 'npm test', status: 'done', content: 'ok', call_id: 'c1' },
  ]);
  expect(partsOfBlocks({ content_blocks: made })).toMatchObject([{ details: call }]);
  expect(blocksOfDetails({ ...call, status: 'running' }, '')).toMatchObject([
    { type: 'tool_call', status: 'running', content: 'ok' },
  ]);
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
