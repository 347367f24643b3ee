import type { Activity, SessionHealth } from '@drawbridge/protocol';
import type { TargetDescription } from '../adapter.ts';
import type { Conversation } from './conversation.ts';

interface BearingOptions {
  readonly conversation: Conversation;
  readonly now: () => number;
  readonly onChange: () => void;
}

interface Body {
  readonly pid: number | undefined;
  readonly lasting: boolean;
}

export const IDLE: Activity = { kind: 'idle', label: 'Idle' };
export const THINKING: Activity = { kind: 'thinking', label: 'Thinking' };
const MAX_TITLE = 200;

/** An agent's name, health and activity, as reported to the relay. */
export function createBearing({ conversation, now, onChange }: BearingOptions) {
  const { profile, workspace } = conversation;
  const { agent_type, name, display_name } = profile;
  let { title } = conversation;
  let status: SessionHealth = 'healthy';
  let activity = IDLE;
  const become = (next: Activity, health: SessionHealth = status): void => {
    if (activity.kind === next.kind && activity.label === next.label && health === status) return;
    status = health;
    activity = { ...next, updated_at: new Date(now()).toISOString() };
    onChange();
  };
  return {
    become,
    recover: (): void => become(activity, 'healthy'),
    entitle(long: string): void {
      const short = long.slice(0, MAX_TITLE);
      if (title === short) return;
      title = short;
      onChange();
    },
    describe: ({ pid, lasting }: Body): TargetDescription => ({
      agent_type,
      ...(agent_type === 'unknown' && { agent_name: name }),
      display_name: title ?? display_name,
      ...(title !== null && { window_title: title }),
      workspace,
      ...(pid !== undefined && { target_id: `pid ${pid}` }),
      status,
      activity,
      lasting,
    }),
  };
}
