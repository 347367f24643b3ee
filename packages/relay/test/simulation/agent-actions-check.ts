import type { Facts } from './facts.ts';
import type { AgentAction } from './proxy.ts';
import type { Run } from './simulation.ts';

const FOR_A_PROXY = new Set([
  'connection_ack',
  'connection_error',
  'heartbeat_ack',
  'send_message',
  'launch_session',
  'close_session',
  'permission_response',
  'agent_interrupt',
  'agent_set_model',
  'agent_config_request',
]);

/** Checks effects on agents, which nothing undoes: once, by the right proxy, and at a person's request. */
export function checkAgentActions({ proxies, browsers }: Run, facts: Facts): readonly string[] {
  const wrong: string[] = [];
  const chosen = new Set(
    browsers.flatMap(({ log }) =>
      log.entries.flatMap(({ direction, frame }) =>
        direction === 'out' && frame.type === 'permission_response'
          ? [`${frame.session_id} ${frame.prompt_id} ${frame.choice_id}`]
          : [],
      ),
    ),
  );
  const done = new Set<string>();

  const checkAction = (name: string, action: AgentAction): void => {
    const { did, session_id, id } = action;
    const what = `${name} ${did} ${session_id} ${id}`;
    if (
      did === 'click' &&
      action.choice_id !== 'no' &&
      !chosen.has(`${session_id} ${id} ${action.choice_id}`)
    ) {
      wrong.push(`[CHT-225] ${what}: nobody chose ${action.choice_id}`);
    }
    if (did === 'inject' || (did === 'launch' && !facts.relaunched.has(id))) {
      const key = did === 'launch' ? `launch ${id}` : `inject ${session_id} ${id}`;
      if (done.has(key)) wrong.push(`[CHT-160] ${what}: a second time`);
      done.add(key);
    }
    if (did !== 'inject') return;
    const message = facts.sessions.get(session_id)?.messages.get(id);
    const unknown = message?.error?.['code'] === 'delivery_unknown';
    if (message === undefined) wrong.push(`[CHT-136] ${what}: never accepted`);
    else if (message.state !== 'delivered' && !unknown) {
      wrong.push(`[CHT-160] ${what}: done, and said to be ${JSON.stringify(message.error)}`);
    }
    if (message !== undefined && message.payload['content'] !== action.content) {
      wrong.push(`[CHT-147] ${what}: not what was sent`);
    }
  };

  for (const { traits, actions, log } of proxies) {
    for (const action of actions) checkAction(traits.name, action);
    const own = new Set<string>();
    const latest = new Map<string, number>();
    const received = new Set<string>();
    const answers = new Map(facts.opened);
    const commands = new Map<string, string>();
    let connection = 0;
    for (const entry of log.entries) {
      const { frame, direction } = entry;
      if (entry.connection !== connection) latest.clear();
      connection = entry.connection;
      if (direction === 'out') {
        if (frame.type === 'proxy_session_snapshot')
          for (const each of frame.sessions) own.add(each.session_id);
        if (frame.type === 'session_launch_ack') own.add(frame.session_id);
        // CHT-221: the prompt may be answered again.
        if (frame.type === 'agent_control_result' && frame.result === 'failed') {
          const prompt = commands.get(frame.request_id ?? '');
          if (prompt !== undefined) answers.set(prompt, (answers.get(prompt) ?? 0) + 1);
        }
        continue;
      }
      const what = `${traits.name} at ${entry.at}: ${JSON.stringify(frame)}`;
      if (!FOR_A_PROXY.has(frame.type)) wrong.push(`[CHT-132] ${what}`);
      if (frame.type !== 'connection_error' && 'session_id' in frame && !own.has(String(frame.session_id))) {
        wrong.push(`[CHT-234] not its own: ${what}`);
      }
      if (frame.type === 'permission_response') {
        const prompt = `${frame.session_id} ${frame.prompt_id}`;
        const left = (answers.get(prompt) ?? 0) - 1;
        answers.set(prompt, left);
        commands.set(frame.request_id ?? '', prompt);
        if (left < 0) wrong.push(`[CHT-219] answered before: ${what}`);
      }
      if (frame.type !== 'send_message') continue;
      const sequence =
        facts.sessions.get(frame.session_id)?.messages.get(frame.client_message_id)?.sequence ?? 0;
      // CHT-300: a send that this connection already had is asked for again.
      const seen = `${connection} ${frame.session_id} ${frame.client_message_id}`;
      if (received.has(seen)) continue;
      received.add(seen);
      if (sequence <= (latest.get(frame.session_id) ?? 0)) wrong.push(`[CHT-147] out of order: ${what}`);
      latest.set(frame.session_id, sequence);
    }
  }

  for (const [session_id, { messages }] of facts.sessions) {
    for (const [id, { state }] of messages) {
      if (state === 'delivered' && !done.has(`inject ${session_id} ${id}`)) {
        wrong.push(`[CHT-148] ${session_id} ${id} is delivered and was never injected`);
      }
    }
  }
  return wrong;
}
