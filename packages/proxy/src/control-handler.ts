import type { Outgoing as Frame, FrameOf } from '@drawbridge/link/chat';
import { refusal, requirePower } from './adapter.ts';
import { failureOf } from './failure.ts';
import type { ProxySession } from './proxy-session.ts';

export type Command = FrameOf<
  | 'permission_response'
  | 'agent_interrupt'
  | 'agent_set_model'
  | 'agent_set_mode'
  | 'agent_config_request'
  | 'agent_answer'
>;

interface ControlHandlerOptions {
  readonly sessionOf: (session_id: string) => ProxySession | undefined;
  readonly send: (frame: Frame) => void;
}

/** Control commands of people, each answered with one `agent_control_result`. */
export function createControlHandler({ sessionOf, send }: ControlHandlerOptions) {
  const obey = async (session: ProxySession, frame: Command): Promise<void> => {
    const { target, agent } = session;
    switch (frame.type) {
      case 'permission_response': {
        const { prompt_id, choice_id, detected_at } = frame;
        requirePower(target.powers, 'permission_dialogs', agent);
        if (!session.hasPrompt(prompt_id, detected_at)) {
          throw refusal('prompt_not_found', 'The agent no longer asks this.');
        }
        await target.answer(prompt_id, choice_id);
        session.answered(prompt_id);
        return;
      }
      case 'agent_interrupt':
        requirePower(target.powers, 'interrupt', agent);
        await target.interrupt();
        return;
      case 'agent_set_model':
        send(session.learn(await target.configure({ model: frame.model_id })));
        return;
      case 'agent_set_mode':
        send(session.learn(await target.configure({ mode: frame.mode_id })));
        return;
      case 'agent_config_request':
        send(session.learn(await target.configuration()));
        return;
      case 'agent_answer':
        requirePower(target.powers, 'questions', agent);
        await target.reply(frame.question_id, frame);
        return;
    }
  };

  return async (frame: Command): Promise<void> => {
    const { session_id, request_id = '', type: command } = frame;
    const about = { type: 'agent_control_result', request_id, session_id, command } as const;
    const session = sessionOf(session_id);
    try {
      if (session === undefined) throw refusal('session_unknown', 'This proxy has no such session.');
      await obey(session, frame);
    } catch (error) {
      const failure = failureOf(error, 'control_not_supported');
      send({ ...about, result: 'failed', error: failure, error_code: failure.code });
      return;
    }
    // `agent_config` itself answers the request (CHT-243).
    if (command === 'agent_config_request') return;
    send({ ...about, result: 'ok' });
    if (command === 'agent_interrupt') send(session.status());
  };
}
