import type { PromptRecord, Write } from '@drawbridge/ledger';
import { DEVICE_LIMITS } from '@drawbridge/protocol';
import type { Controls } from './controls.ts';
import type { CoreContext } from './core-context.ts';
import { expiryAudit } from './decision-audit.ts';
import { ENTRY_TOO_LARGE, MAX_ENTRY_CHARS } from './frame-budget.ts';
import { type FrameOf, frameText, LATEST_TIME, timeText, trustJson, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import type { RelayEvent } from './ports.ts';
import { BESIDE, defaultDenies, type Prompt, type PromptBody } from './prompt.ts';
import { type Answer, createPromptAnswers, type PromptAnswers } from './prompt-answers.ts';
import { storedOrRefused } from './refusals.ts';
import { hasEnded } from './sessions.ts';

type Frame = FrameOf<'permission_prompt'>;
type Withdrawn = Omit<FrameOf<'permission_prompt_withdrawn'>, 'type' | 'protocol_version'>;

/** Questions that people must answer before an agent continues (CHT-213 to CHT-229). */
export interface Prompts extends Pick<PromptAnswers, 'respond'> {
  /** Returns a promise, because the proxy's next frame may refer to this prompt. */
  readonly ask: (peer: Peer, frame: Frame, text: string) => Promise<void> | undefined;
  /** CHT-273, CHT-374 */
  readonly onWithdrawn: (peer: Peer, frame: Withdrawn) => void;
  /** The prompt was settled on any node; deleting a session settles its prompts too. */
  readonly observeEnd: (event: RelayEvent) => void;
  readonly openFor: (peer: Peer) => PromptBody[];
  /** CHT-202 */
  readonly withdraw: (session_id: string) => Promise<void>;
  /** CHT-215 */
  readonly restore: () => Promise<void>;
}

/** A prompt that nobody answered in time. */
interface Expiry {
  /** The choice that the relay made instead. */
  readonly applied: string | undefined;
  /** Runs before the end is published. */
  readonly before: () => void;
}

/** CHT-286: more than people answer, and few enough for a screen. */
const MAX_OPEN = DEVICE_LIMITS.open_prompts.value;

/** Shorter than anyone needs to read a question and answer it. */
const READING_MS = 1_500;

export function createPrompts(context: CoreContext, controls: Controls): Prompts {
  const { ledger, sessions } = context;
  const prompts = new Map<string, Prompt>();
  const keyOf = ({ session_id, prompt_id }: { session_id: string; prompt_id: string }): string =>
    JSON.stringify([session_id, prompt_id]);

  const deviceOf = (session_id: string): string => sessions.get(session_id)?.proxy_device_id ?? session_id;

  const openOf = (device: string): number =>
    [...prompts.values()].filter(({ body }) => deviceOf(body.session_id) === device).length;

  const drop = (prompt: Prompt): void => {
    prompt.cancel();
    if (prompts.get(keyOf(prompt.body)) === prompt) prompts.delete(keyOf(prompt.body));
  };

  const open = (body: PromptBody, waits: number | undefined, begun: Partial<Prompt> = {}): Prompt => {
    const life = { reusesRecentId: false, overdue: false, withdrawn: false, cancel: () => {} };
    const prompt: Prompt = { body, sequence: 0, state: 'open', ...life, ...begun };
    if (waits !== undefined) prompt.cancel = context.after(waits, () => context.run(expire(prompt)));
    prompts.set(keyOf(body), prompt);
    return prompt;
  };

  /** CHT-224, CHT-225 */
  const expire = async (prompt: Prompt): Promise<void> => {
    prompt.overdue = true;
    if (prompt.state !== 'open') return;
    const { session_id, default_choice } = prompt.body;
    const proxy = prompt.asker ?? sessions.get(session_id)?.proxy;
    const applied = proxy !== undefined && defaultDenies(prompt.body) ? default_choice : undefined;
    const before = (): void => {
      if (applied !== undefined) proxy?.send(timeoutText(prompt.body, applied), 'answer');
    };
    await settle(prompt, { applied, before });
  };

  const timeoutText = ({ session_id, prompt_id, detected_at }: PromptBody, choice_id: string): string => {
    const request_id = context.id('req');
    const answer = { session_id, prompt_id, choice_id, ...(detected_at && { detected_at }) };
    return frameText({ type: 'permission_response', request_id, ...answer }, context.now());
  };

  /** Without `expiry`, the prompt was withdrawn. */
  const settle = (prompt: Prompt, expiry?: Expiry): Promise<void> => {
    const { session_id, prompt_id } = prompt.body;
    const applied = expiry?.applied;
    const body = { prompt_id, ...(applied !== undefined && { applied_choice: applied }) };
    prompt.state = 'ending';
    return context.retryUntilStored(async () => {
      const at = context.now();
      const move = { do: 'move_prompt', session_id, prompt_id, from: ['open'], to: 'expired', at } as const;
      const event = context.event(session_id, 'permission_prompt_expired', body, { at });
      const audits = expiry ? [expiryAudit(prompt, sessions.get(session_id), applied, at)] : [];
      const outcome = await context.commit(session_id, [move, event, ...audits], expiry?.before);
      if (outcome.committed) drop(prompt);
      // An answer was stored first.
      else if (prompt.state === 'ending') prompt.state = 'open';
    });
  };

  const answers = createPromptAnswers(context, controls, {
    find: (frame) => prompts.get(keyOf(frame)),
    drop,
    expire,
  });

  const store = async (peer: Peer, frame: Frame): Promise<void> => {
    const { session_id, prompt_id, prompt_text, choices, timeout_ms, default_choice } = frame;
    const at = context.now();
    const expires_at = timeout_ms === undefined ? null : Math.min(at + timeout_ms, LATEST_TIME);
    const said: Omit<PromptBody, 'session_id'> = {
      prompt_id,
      prompt_text,
      choices,
      detected_at: frame.detected_at ?? timeText(at),
      ...(timeout_ms !== undefined && { timeout_ms }),
      ...(default_choice !== undefined && { default_choice }),
      ...(expires_at !== null && { expires_at: timeText(expires_at) }),
    };
    const earlier = await ledger.prompt(session_id, prompt_id);
    const writes: readonly Write[] = [
      { do: 'open_prompt', session_id, prompt_id, body: trustJson(said), at, expires_at },
      context.event(session_id, 'permission_prompt', said, { at }),
    ];
    // CHT-216: the ledger refuses a prompt that is already open, and nothing is sent.
    await context.commit(session_id, writes, (sequence) => {
      const prompt = open({ session_id, ...said }, timeout_ms, {
        sequence,
        asker: peer.features.has(BESIDE) ? peer : undefined,
      });
      if (earlier === undefined) return;
      prompt.reusesRecentId = true;
      context.after(READING_MS, () => {
        prompt.reusesRecentId = false;
      });
    });
  };

  const stored = async (peer: Peer, frame: Frame): Promise<void> => {
    await storedOrRefused(context, peer, frame, store(peer, frame));
  };

  const bodyOf = ({ session_id, body }: PromptRecord): PromptBody => ({
    session_id,
    ...trustStored<Omit<PromptBody, 'session_id'>>(body),
  });

  /** CHT-114: the remaining time, at most the full time, whatever the wall clock reads. */
  const remaining = ({ timeout_ms }: PromptBody, { expires_at }: PromptRecord): number | undefined =>
    timeout_ms === undefined || expires_at === null
      ? undefined
      : Math.min(timeout_ms, Math.max(0, expires_at - context.now()));

  return {
    respond: answers.respond,
    ask: (peer, frame, text) => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined) return undefined;
      if (session.closed) {
        peer.refuse(frame, 'session_not_connected', 'The session is closed. Announce it first.');
        return undefined;
      }
      if (text.length > MAX_ENTRY_CHARS) {
        peer.refuse(frame, 'invalid_message', ENTRY_TOO_LARGE);
        return undefined;
      }
      if (!prompts.has(keyOf(frame)) && openOf(peer.device_id) >= MAX_OPEN) {
        const message = `${MAX_OPEN} prompts of this device are open (open_prompts). Withdraw one first, or wait for an answer.`;
        peer.refuse(frame, 'send_rejected', message);
        return undefined;
      }
      return stored(peer, frame);
    },
    onWithdrawn: (peer, frame) => {
      const prompt = context.sessions.ofFrame(peer, frame) && prompts.get(keyOf(frame));
      const meant = frame.detected_at === undefined || frame.detected_at === prompt?.body.detected_at;
      if (prompt === undefined || !meant) return;
      // An answer may be on its way to storage, or to the proxy.
      prompt.withdrawn = true;
      if (prompt.state === 'open') context.run(settle(prompt));
    },
    observeEnd: ({ session_id, sequence, payload }) => {
      const prompt = prompts.get(keyOf({ session_id, prompt_id: String(payload['prompt_id']) }));
      if (prompt !== undefined && prompt.state !== 'answering' && prompt.sequence < sequence) drop(prompt);
    },
    openFor: (peer) => {
      const seen = [...prompts.values()].filter(({ state, body }) => {
        const session = sessions.get(body.session_id);
        return state !== 'answering' && context.sessions.isSeenBy(peer, session) && !hasEnded(session);
      });
      return inTurns(seen, ({ body }) => deviceOf(body.session_id)).map(({ body }) => body);
    },
    withdraw: async (session_id) => {
      for (const prompt of [...prompts.values()]) {
        if (prompt.body.session_id !== session_id) continue;
        if (prompt.state === 'answering') answers.abandon(prompt);
        else if (prompt.state === 'open') await settle(prompt);
      }
    },
    restore: async () => {
      for (const record of await ledger.openPrompts()) {
        const body = bodyOf(record);
        const session = await sessions.find(record.session_id);
        const prompt = open(body, session?.closed ? undefined : remaining(body, record));
        if (session === undefined || session.closed) await settle(prompt);
      }
      for (const record of await ledger.answeringPrompts()) {
        const body = bodyOf(record);
        const prompt = open(body, remaining(body, record), { state: 'answering' });
        answers.resume(prompt, trustStored<Answer>(record.answer ?? {}));
      }
    },
  };
}

/** Round-robin by device, so that one device's questions do not come before all others. */
function inTurns<Item>(items: readonly Item[], deviceOf: (item: Item) => string): readonly Item[] {
  const counts = new Map<string, number>();
  const turns = items.map((item) => {
    const device = deviceOf(item);
    const turn = counts.get(device) ?? 0;
    counts.set(device, turn + 1);
    return { item, turn };
  });
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ item }) => item);
}
