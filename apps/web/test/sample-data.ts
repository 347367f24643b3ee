import { setImmediate } from 'node:timers/promises';
import type { TestProxy, WebHarness } from './web-harness.ts';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const details = (value: object) => ({ metadata: { details: value } });

/** Fills a relay with activity for screenshots and screen tests. */
export async function fillWithSamples(
  harness: WebHarness,
): Promise<{ readonly proxy: TestProxy; readonly away: TestProxy }> {
  const proxy = await harness.proxy('studio');
  const away = await harness.proxy('laptop');
  const session = (
    session_id: string,
    display_name: string,
    folder: string | undefined,
    more: object = {},
  ) => ({
    session_id,
    agent_type: 'codex',
    status: 'healthy',
    display_name,
    ...(folder && { workspace_name: folder, workspace_path: `/home/ada/${folder}` }),
    machine_label: 'studio',
    target_id: `target of ${session_id}`,
    last_seen_at: ago(1),
    ...more,
  });
  proxy.list(
    session('s_codex', 'codex-shop', 'web-shop', {
      activity: { kind: 'waiting_for_user', updated_at: ago(1) },
    }),
    session('s_claude', 'Claude', 'payments-api', {
      agent_type: 'claude',
      activity: { kind: 'running_command', label: 'npm test', updated_at: ago(2) },
    }),
    session('s_task', 'Order the desk lamp', 'web-shop', {
      agent_type: 'unknown',
      agent_name: 'Browser task',
      activity: { kind: 'generating', updated_at: ago(0) },
    }),
    session('s_docs', 'Docs clean-up', 'handbook', {
      activity: { kind: 'idle', updated_at: ago(95) },
    }),
    session('s_gemini', 'Gemini', 'infra', {
      agent_type: 'gemini',
      status: 'agent_ui_changed',
      activity: { kind: 'idle', updated_at: ago(300) },
    }),
  );
  away.list(session('s_night', 'Nightly refactor', 'old-monolith', { machine_label: 'laptop' }));
  const say = (id: string, minutes: number, content: string, more: object = {}) =>
    proxy.sendMessage(id, content, { created_at: ago(minutes), ...more });

  say('s_codex', 42, 'Release 1.4 of the shop: run the tests, bump the version, publish.', { role: 'user' });
  say(
    's_codex',
    41,
    'I will look at the changes since **v1.3**, run the tests and then prepare the release.',
    {
      message_id: 'm1',
    },
  );
  say('s_codex', 41, 'Plan', {
    message_id: 'm2',
    ...details({
      kind: 'plan',
      steps: [
        { text: 'Read the changes since v1.3', status: 'completed' },
        { text: 'Run the tests', status: 'completed' },
        { text: 'Bump the version and write the changelog', status: 'completed' },
        { text: 'Publish to the registry', status: 'active' },
        { text: 'Tell the team', status: 'pending' },
      ],
    }),
  });
  say('s_codex', 40, 'git log', {
    ...details({
      kind: 'tool_call',
      tool_call_id: 't1',
      title: 'git log v1.3..HEAD --oneline',
      tool_kind: 'execute',
      status: 'completed',
      output: 'a91c2f0 cart: keep quantities over a reload\n5d02e1b checkout: name the card that is charged',
    }),
  });
  say('s_codex', 38, 'npm test', {
    ...details({
      kind: 'tool_call',
      tool_call_id: 't2',
      title: 'npm test',
      tool_kind: 'execute',
      status: 'completed',
      output: '312 passed',
    }),
  });
  say('s_codex', 36, 'edit', {
    ...details({
      kind: 'tool_call',
      tool_call_id: 't3',
      title: 'Bump the version',
      tool_kind: 'edit',
      status: 'completed',
      diffs: [
        {
          path: 'packages/shop/package.json',
          old_text:
            '{\n  "name": "@ada/web-shop",\n  "version": "1.3.2",\n  "private": false,\n  "type": "module"\n}',
          new_text:
            '{\n  "name": "@ada/web-shop",\n  "version": "1.4.0",\n  "private": false,\n  "type": "module"\n}',
        },
      ],
    }),
  });
  say(
    's_codex',
    2,
    'All **312 tests** pass and the changelog is written. The package is ready:\n\n```sh\nnpm publish --access public\n```\n\n| file | size |\n|---|---|\n| `dist/shop.js` | 41 kB |\n| `README.md` | 3 kB |\n\nShall I publish?',
  );
  say('s_codex', 2, 'usage', details({ kind: 'usage', used: 84_200, size: 200_000 }));
  proxy.send({
    type: 'agent_config',
    session_id: 's_codex',
    model_id: 'gpt-5.5-codex',
    available_models: ['gpt-5.5-codex', 'gpt-5.5-mini'],
    permission_mode: 'ask',
    file_access_scope: 'workspace',
    capabilities: { interrupt: true, set_model: true },
  });
  proxy.send({
    type: 'permission_prompt',
    session_id: 's_codex',
    prompt_id: 'p1',
    prompt_text:
      'Run npm publish --access public?\nWhere: studio, /home/ada/web-shop\n· package @ada/web-shop 1.4.0 becomes public\nThis can’t be undone.',
    choices: [
      { choice_id: 'once', label: 'Allow once', is_default: false, effect: 'allow' },
      { choice_id: 'deny', label: 'Deny', is_default: true, effect: 'deny' },
    ],
    detected_at: ago(1),
  });

  say('s_claude', 15, 'The refund test is flaky. Find out why.', { role: 'user' });
  say(
    's_claude',
    14,
    'The clock is read twice, once before and once after midnight.',
    details({ kind: 'thought' }),
  );
  say('s_claude', 13, 'grep', {
    ...details({
      kind: 'tool_call',
      tool_call_id: 't4',
      title: 'Search for Date.now in src/refunds',
      tool_kind: 'search',
      status: 'completed',
    }),
  });
  say(
    's_claude',
    12,
    'Found it: `refundWindow()` reads the clock twice. If midnight falls between the two reads, the window is one day short.\n\n1. take `now` as an argument\n2. read it once, at the door',
  );
  say('s_claude', 2, 'npm test', {
    message_id: 'running',
    ...details({
      kind: 'tool_call',
      tool_call_id: 't5',
      title: 'npm test -- src/refunds',
      tool_kind: 'execute',
      status: 'running',
    }),
  });
  proxy.send({
    type: 'agent_config',
    session_id: 's_claude',
    model_id: 'opus',
    available_models: ['opus', 'haiku'],
    permission_mode: 'default',
    capabilities: { interrupt: true, set_model: true },
  });

  const step = (index: number, value: object) =>
    say('s_task', 5 - index, `step ${index}`, details({ kind: 'step', task_id: 'k1', index, ...value }));
  say('s_task', 6, 'Order the Arc desk lamp, standard delivery.', { role: 'user' });
  step(0, {
    action: 'setValue(3, "desk lamp")',
    status: 'ok',
    subject: 'Search field',
    after: { url: 'https://shop.example/search?q=desk+lamp', title: 'desk lamp – Shop' },
    changes: ['+ 4 results'],
  });
  step(1, {
    action: 'click(12)',
    status: 'ok',
    subject: 'Arc desk lamp',
    thought: 'It is the first that fits.',
  });
  step(2, { action: 'click(7)', status: 'running', subject: 'Add to cart' });
  say('s_docs', 95, 'Done: 14 pages have the new header, and two dead links are gone.');
  say('s_gemini', 300, 'The plan for the cluster is in `plan.md`.');
  away.sendMessage('s_night', 'Paused at module 7 of 12.', { created_at: ago(700) });
  // Closing a link drops its unsent frames.
  while (((await harness.relay.ledger.session('s_night'))?.head ?? 0) < 2) await setImmediate();
  away.link.close();
  return { proxy, away };
}
