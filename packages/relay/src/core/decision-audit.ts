import { type Audit, auditWrite } from '@drawbridge/ledger';
import type { Prompt } from './prompt.ts';
import type { Answer } from './prompt-answers.ts';
import type { LiveSession } from './sessions.ts';

/** Name of a session's agent, as people know it. */
export const agentOf = (session: LiveSession | undefined): string | undefined =>
  session?.shown?.display_name ?? session?.shown?.agent_name ?? session?.shown?.agent_type;

type Asked = Pick<Prompt, 'body' | 'asker'>;

/** Sessions of browsers and of agents that came by MCP, in which only the relay asks. */
const OWN_SESSION = /^browser_/;

/**
 * The question in the words that people read (`approvals/question-prompt.ts`): asking agent, act and site. An
 * agent behind a proxy writes its whole prompt, so it names nobody but itself.
 */
function questionOf({ body, asker }: Asked, session: LiveSession | undefined) {
  const [asked, ...lines] = body.prompt_text.split('\n');
  if (asker === undefined && !OWN_SESSION.test(body.session_id)) return { agent: agentOf(session), asked };
  const after = (start: string): string | undefined =>
    lines.find((line) => line.startsWith(start))?.slice(start.length);
  return { agent: after('Asked by: ') ?? agentOf(session), asked, site: after('Where: ') };
}

/** A person's answer. `isConfirmed`: the agent has received it. */
export function decisionAudit(
  prompt: Asked,
  session: LiveSession | undefined,
  { device_id, choice_id, label: by }: Answer,
  { at, isConfirmed }: { readonly at: number; readonly isConfirmed: boolean },
): Audit {
  const { choices, session_id } = prompt.body;
  const choice = choices.find((each) => each.choice_id === choice_id)?.label;
  const entry = { at, device_id, action: 'decision_made' as const, subject: session_id };
  const answer = { choice_id, choice, by, ...(!isConfirmed && { problem: 'not confirmed by the agent' }) };
  return auditWrite(entry, { ...questionOf(prompt, session), ...answer });
}

/** Nobody answered in time; `applied` is the choice that the relay made instead. */
export function expiryAudit(
  prompt: Asked,
  session: LiveSession | undefined,
  applied: string | undefined,
  at: number,
): Audit {
  const { choices, session_id } = prompt.body;
  const choice = choices.find((each) => each.choice_id === applied)?.label;
  const entry = { at, device_id: null, action: 'decision_expired' as const, subject: session_id };
  return auditWrite(entry, { ...questionOf(prompt, session), choice_id: applied, choice });
}
