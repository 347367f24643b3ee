import { LedgerError, type PromptRecord, type Write } from '@drawbridge/ledger';
import type { Controls, PendingControl, Route } from './controls.ts';
import type { CoreContext } from './core-context.ts';
import { decisionAudit } from './decision-audit.ts';
import { type FrameOf, labelText, timeText, trustJson, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { type Requester, requesterOf } from './peers.ts';
import { LENDING_PROMPT, type Prompt } from './prompt.ts';
import { NOT_STORED } from './refusals.ts';
import { hasEnded } from './sessions.ts';

type Response = FrameOf<'permission_response'>;

/** CHT-227: the recorded answer. */
export interface Answer extends Requester {
  readonly choice_id: string;
  readonly label: string;
  readonly answered_at: string;
  readonly request_id: string;
}

export type PromptAnswers = ReturnType<typeof createPromptAnswers>;

interface Known {
  readonly find: (frame: Response) => Prompt | undefined;
  readonly drop: (prompt: Prompt) => void;
  readonly expire: (prompt: Prompt) => Promise<void>;
}

export function createPromptAnswers(context: CoreContext, controls: Controls, { find, drop, expire }: Known) {
  const { ledger } = context;
  const waits = new Map<Prompt, { readonly cancel: () => void; readonly answer: Answer }>();

  const controlOf = ({ body }: Prompt, answer: Answer): Omit<PendingControl, 'onResult'> => {
    const { request_id, device_id, client_id, connection_id } = answer;
    const requester = { device_id, client_id, connection_id };
    return { request_id, session_id: body.session_id, command: 'permission_response', requester };
  };

  const move = (
    { body: { session_id, prompt_id } }: Prompt,
    to: 'answered' | 'open' | 'expired' | 'unconfirmed',
    writes: (at: number) => readonly Write[],
    then?: () => void,
  ): Promise<void> =>
    context.retryUntilStored(async () => {
      const at = context.now();
      const taken = to === 'open' || to === 'expired' ? { answer: null } : undefined;
      await context.commit(session_id, [
        { do: 'move_prompt', session_id, prompt_id, from: ['answering'], to, at, ...taken },
        ...writes(at),
      ]);
      then?.();
    });

  const stopWaiting = (prompt: Prompt): void => {
    waits.get(prompt)?.cancel();
    waits.delete(prompt);
  };

  /** CHT-221 */
  const confirm = async (prompt: Prompt, answer: Answer, ok: boolean): Promise<void> => {
    const { session_id: id, prompt_id } = prompt.body;
    stopWaiting(prompt);
    if (ok) {
      const { choice_id, label: answered_by, answered_at } = answer;
      drop(prompt);
      const body = { prompt_id, choice_id, answered_by: labelText(answered_by), answered_at };
      await move(prompt, 'answered', (at) => [
        context.event(id, 'permission_prompt_answered', body, { at }),
        decisionAudit(prompt, context.sessions.get(id), answer, { at, isConfirmed: true }),
      ]);
      return;
    }
    if (prompt.withdrawn) {
      drop(prompt);
      await move(prompt, 'expired', (at) => [
        context.event(id, 'permission_prompt_expired', { prompt_id }, { at }),
      ]);
      return;
    }
    const { session_id: _, ...body } = prompt.body;
    const again = (at: number): readonly Write[] => [context.event(id, 'permission_prompt', body, { at })];
    await move(prompt, 'open', again, () => {
      prompt.state = 'open';
      const session = context.sessions.get(id);
      // The session may have ended before the ledger stored this (CHT-202).
      if (prompt.overdue || session === undefined || hasEnded(session)) context.run(expire(prompt));
    });
  };

  /** CHT-222 */
  const giveUp = (prompt: Prompt, answer: Answer): void => {
    const { session_id, prompt_id } = prompt.body;
    const control = controlOf(prompt, answer);
    stopWaiting(prompt);
    controls.forget(control);
    drop(prompt);
    const expired = (at: number): readonly Write[] => [
      context.event(session_id, 'permission_prompt_expired', { prompt_id }, { at }),
      decisionAudit(prompt, context.sessions.get(session_id), answer, { at, isConfirmed: false }),
    ];
    const work = move(prompt, 'unconfirmed', expired).then(() =>
      controls.fail(control, 'delivery_unknown', 'The proxy did not confirm the answer. Look at the agent.'),
    );
    context.run(work);
  };

  const wait = (prompt: Prompt, answer: Answer): void => {
    prompt.state = 'answering';
    const onResult = async ({ result }: FrameOf<'agent_control_result'>): Promise<undefined> => {
      await confirm(prompt, answer, result === 'ok');
    };
    controls.await({ ...controlOf(prompt, answer), onResult });
    const cancel = context.after(context.times.answer_ms, () => giveUp(prompt, answer));
    waits.set(prompt, { cancel, answer });
  };

  /** CHT-219 */
  const notFound = (control: Omit<PendingControl, 'onResult'>, prompt: PromptRecord | undefined): void => {
    const by = prompt?.answer && trustStored<Answer>(prompt.answer).label;
    const problem = by ? `Already answered on ${by}.` : 'There is no such prompt, or it is settled.';
    controls.fail(control, 'prompt_not_found', problem);
  };

  const record = async (prompt: Prompt, answer: Answer, { proxy, session, text }: Route): Promise<void> => {
    const { session_id, prompt_id } = prompt.body;
    const control = controlOf(prompt, answer);
    try {
      const outcome = await context.commit(session_id, [
        {
          do: 'move_prompt',
          session_id,
          prompt_id,
          from: ['open'],
          to: 'answering',
          answer: trustJson(answer),
          at: context.now(),
        },
      ]);
      if (!outcome.committed) {
        notFound(control, 'prompt' in outcome.refusal ? outcome.refusal.prompt : undefined);
        return;
      }
      wait(prompt, answer);
      if (session.proxy === proxy || prompt.asker === proxy) proxy.send(text, 'answer');
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      context.onError(error);
      controls.fail(control, 'send_rejected', NOT_STORED);
    }
  };

  return {
    respond: (peer: Peer, frame: Response, text: string): void => {
      const prompt = find(frame);
      const routed = controls.route(peer, frame, text, prompt?.asker);
      if (routed === undefined) return;
      const { session_id, prompt_id, choice_id, detected_at } = frame;
      const { request_id } = routed;
      const requester = requesterOf(peer);
      const control = { request_id, session_id, command: frame.type, requester };
      // CHT-223: refuses an answer to an earlier dialog that looked the same.
      const meant =
        detected_at === undefined ? !prompt?.reusesRecentId : detected_at === prompt?.body.detected_at;
      if (prompt?.state !== 'open' || !meant) {
        context.run(ledger.prompt(session_id, prompt_id).then((settled) => notFound(control, settled)));
      } else if (!prompt.body.choices.some((choice) => choice.choice_id === choice_id)) {
        controls.fail(
          control,
          'invalid_message',
          'The prompt has no such choice. Choose one of its choices.',
        );
      } else if (peer.sessions !== undefined && prompt.asker && prompt_id.startsWith(LENDING_PROMPT)) {
        controls.fail(control, 'unauthorized', 'A guest of this session cannot lend the browser.');
      } else {
        const answered_at = timeText(context.now());
        // CHT-274: the credential names who answered, not the browser.
        const forwarded = JSON.stringify({ ...frame, request_id, answered_by: labelText(peer.label) });
        const answer = { ...requester, choice_id, label: peer.label, answered_at, request_id };
        context.run(record(prompt, answer, { ...routed, text: forwarded }));
      }
    },
    /** Continues an answer that was interrupted by a restart. */
    resume: wait,
    /** Gives up the answer, because its session was closed. */
    abandon: (prompt: Prompt): void => {
      const waiting = waits.get(prompt);
      if (waiting !== undefined) giveUp(prompt, waiting.answer);
    },
  };
}
