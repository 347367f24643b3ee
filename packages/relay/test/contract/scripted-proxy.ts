import type { ChatFrame } from '@drawbridge/protocol';
import { type ContractHarness, fresh } from './contract-harness.ts';
import {
  configOf,
  contentOf,
  deliveredOf,
  listOf,
  promptOf,
  resultOf,
  sessionObject,
  statusOf,
} from './frames.ts';
import type { Device, Loose, Peer } from './peer.ts';

export interface ScriptedProxy {
  readonly peer: Peer;
  readonly machine_label: string;
  /** Sessions that the proxy runs. */
  readonly session_ids: () => readonly string[];
}

export interface ProxyOptions {
  readonly device?: Device;
  /** Sessions with their names; each gets a new target at every start. */
  readonly sessions?: readonly (readonly [session_id: string, display_name: string])[];
  /** True to echo people's sends in the transcript. */
  readonly echoes?: boolean;
}

/**
 * A proxy with scripted agents. `ask` makes an agent ask for permission; `work` makes it generate until
 * interrupted; any other text gets a reply.
 */
export async function startProxy(
  harness: Pick<ContractHarness, 'device' | 'connect'>,
  options: ProxyOptions = {},
): Promise<ScriptedProxy> {
  const { device = await harness.device('proxy'), sessions = [], echoes = false } = options;
  const machine_label = fresh('machine');
  const names = new Map(sessions);
  const models = new Map<string, string>();
  const working = new Set<string>();
  const peer = await harness.connect(device, { machine_label });
  const { send } = peer;

  const list = (): void =>
    send(
      listOf(
        ...[...names].map(([session_id, display_name]) =>
          sessionObject(session_id, {
            display_name,
            target_id: fresh('target'),
            target_signature: display_name,
          }),
        ),
      ),
    );
  const say = (session_id: string, message_id: string, content: string): void =>
    send(contentOf(session_id, content, { message_id }));
  const configure = (session_id: string, model_id: string): void => {
    models.set(session_id, model_id);
    send(
      configOf(session_id, model_id, {
        permission_mode: 'ask',
        file_access_scope: 'workspace',
        available_models: ['small', 'large'],
        capabilities: { interrupt: true, set_model: true, permission_dialogs: true },
      }),
    );
  };
  const result = (frame: ChatFrame & { session_id: string }, more: Loose = {}): void =>
    send(resultOf(frame.session_id, frame.request_id, { command: frame.type, ...more }));
  const begin = (session_id: string, display_name: string): void => {
    names.set(session_id, display_name);
    list();
    configure(session_id, 'small');
  };

  peer.onFrame((frame) => {
    switch (frame.type) {
      case 'send_message': {
        const { session_id, client_message_id, content = '', attempt } = frame;
        if (echoes) send(contentOf(session_id, content, { role: 'user' }));
        send(deliveredOf(session_id, client_message_id, { attempt }));
        if (content === 'ask') send(promptOf(session_id, `may ${client_message_id}`, { timeout_ms: 60_000 }));
        else if (content === 'work') {
          working.add(session_id);
          send(statusOf(session_id, { activity: { kind: 'generating' } }));
        } else say(session_id, `re ${client_message_id}`, `You said: ${content}`);
        return;
      }
      case 'permission_response':
        result(frame);
        return say(frame.session_id, `after ${frame.prompt_id}`, `You chose: ${frame.choice_id}`);
      case 'agent_interrupt':
        if (!working.delete(frame.session_id)) {
          const error = { code: 'agent_not_active', message: 'Nothing is being generated' };
          return result(frame, { result: 'failed', error });
        }
        result(frame);
        return send(statusOf(frame.session_id, { activity: { kind: 'idle' } }));
      case 'agent_config_request':
        return configure(frame.session_id, models.get(frame.session_id) ?? 'unknown');
      case 'agent_set_model':
        configure(frame.session_id, frame.model_id);
        return result(frame);
      case 'launch_session': {
        const { request_id, agent_type, window_title = agent_type } = frame;
        if (agent_type === 'gemini') {
          const failure = { error_code: 'agent_not_open', reason: 'Gemini is not running' };
          return send({ type: 'session_launch_failed', request_id, ...failure });
        }
        const session_id = fresh('session');
        begin(session_id, window_title);
        return send({ type: 'session_launch_ack', request_id, session_id, agent_type });
      }
      case 'close_session': {
        const { session_id, request_id } = frame;
        names.delete(session_id);
        return send({ type: 'session_closed', session_id, request_id, reason: 'user_requested' });
      }
    }
  });

  for (const [session_id, display_name] of sessions) begin(session_id, display_name);
  await peer.settled();
  return { peer, machine_label, session_ids: () => [...names.keys()] };
}
