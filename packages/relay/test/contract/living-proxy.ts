import { AT } from './frames.ts';
import type { Loose } from './peer.ts';

/**
 * Frames as the proxy of remote-agent-chat builds them, with its fields of earlier versions beside and `null` for
 * what it does not know. All values are invented.
 */

const ABSENT = { workspace_path: null, target_id: null, virtual_id: null };

export const livingSession = (session_id: string, more: Loose = {}) => ({
  ...{ session_id, agent_type: 'claude_cli', display_name: 'Claude Code CLI', window_title: 'shop' },
  ...{ workspace_name: 'shop', machine_label: 'studio', target_signature: '5f1d' },
  ...{ created_at: AT, last_seen_at: AT, status: 'healthy' },
  activity: { kind: 'idle', label: '', updated_at: AT, task_list: null },
  ...ABSENT,
  ...more,
});

export const livingSnapshot = (...sessions: readonly Loose[]) => ({
  ...{
    type: 'proxy_session_snapshot',
    sessions,
    proxy_id: '0c3b',
    workspaces: [{ title: 'shop', path: '/shop' }],
  },
});

export const livingStatus = (session_id: string, activity: Loose | null) => ({
  ...{ type: 'proxy_status', session_id, session: session_id, status: 'healthy', activity },
  ...{ thinking: activity !== null, label: '', selector_failures: { read: 1, send: 0 } },
});

export const livingMessage = (session_id: string, role: string, content: string) => ({
  type: 'proxy_message',
  session_id,
  message: { role, content, created_at: AT, content_blocks: [{ type: 'markdown', content }] },
  ...{ session: session_id, role, content },
});

/** The whole conversation as it is on the agent's screen: no ids, no times. */
export const livingHistory = (session_id: string, ...messages: readonly (readonly [string, string])[]) => ({
  ...{ type: 'history_snapshot', session_id, session: session_id, last_sequence: 0 },
  messages: messages.map(([role, content]) => ({ role, content, content_blocks: null })),
});

export const livingConfig = (session_id: string) => ({
  ...{
    type: 'agent_config',
    session_id,
    model_id: 'sonnet',
    permission_mode: 'acceptEdits',
    effort: 'medium',
  },
  ...{ file_access_scope: '/home/ada/shop', branch: 'main', sandbox_status: null, read_at: AT },
  available_models: [{ id: 'sonnet', label: 'Sonnet' }, 'opus'],
  available_modes: [{ id: 'code', label: 'Code' }],
  capabilities: { interrupt: true, set_model: true, chat_list: false, interrupt_gate: null },
});

export const livingPrompt = (session_id: string, prompt_id: string) => ({
  ...{ type: 'permission_prompt', session_id, prompt_id, message: 'Run npm test?', timeout_ms: 300_000 },
  choices: [
    { choice_id: 'allow', label: 'Allow' },
    { choice_id: 'deny', label: 'Deny', style: 'danger' },
  ],
  detected_at: AT,
});

export const livingPromptEnd = (session_id: string, prompt_id: string) => ({
  ...{ type: 'permission_prompt_expired', session_id, prompt_id, expired_at: AT },
});

export const livingChats = (session_id: string) => ({
  ...{ type: 'chat_list', session_id, read_at: AT },
  chats: [{ id: 'c1', title: 'Tests', active: true }],
});

export const livingClose = (session_id: string) => ({
  ...{ type: 'session_closed', session_id, request_id: null, reason: 'target_gone' },
});
