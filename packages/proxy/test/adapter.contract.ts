import { type Activity, BridgeError } from '@drawbridge/protocol';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AgentAdapter, AgentMessage, AgentTarget, Observation, TargetPower } from '../src/adapter.ts';

/** An adapter with scripted agents that obey the message: `say …`, `ask permission`, `slow`, `crash`. */
export interface AdapterHarness {
  readonly adapter: AgentAdapter;
  readonly workspace: string;
  /** Another adapter on the same agents, as after a restart of the proxy. */
  readonly restarted?: () => AgentAdapter;
  /** Messages that the agents have received. */
  readonly taken: () => readonly string[];
  /** Activity shown for `slow`; `running_command` if the agent reports it. */
  readonly slowIs?: Activity['kind'];
  readonly close: () => Promise<void>;
}

export interface Watched {
  readonly target: AgentTarget;
  readonly seen: readonly Observation[];
  /** The newest version of each message, by first appearance. */
  readonly messages: () => readonly AgentMessage[];
  readonly until: (fits: () => boolean) => Promise<void>;
  readonly idle: () => Promise<void>;
}

export function watch(target: AgentTarget): Watched {
  const seen: Observation[] = [];
  const waiting = new Set<() => void>();
  const off = target.observe((observation) => {
    seen.push(observation);
    for (const look of [...waiting]) look();
  });
  onTestFinished(() => void off());
  const until = (fits: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!fits()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const messages = (): readonly AgentMessage[] => [
    ...new Map(
      seen.flatMap((each) => (each.kind === 'message' ? [[each.message.message_id, each.message]] : [])),
    ).values(),
  ];
  return {
    target,
    seen,
    messages,
    until,
    idle: () => until(() => target.describe().activity.kind === 'idle'),
  };
}

export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof BridgeError) return error.code;
    throw error;
  }
  return 'ok';
};

/** Contract suite for adapters: each power works or is refused. */
export function testAdapter(name: string, start: () => Promise<AdapterHarness>): void {
  describe(name, () => {
    let harness: AdapterHarness;
    beforeAll(async () => {
      harness = await start();
    });
    afterAll(() => harness.close());

    const launch = async (): Promise<Watched> => {
      const { adapter, workspace } = harness;
      const target = await adapter.launch({
        workspace,
        title: 'A test',
        signal: new AbortController().signal,
      });
      return watch(target);
    };
    /** Asserts the refusal and ends the test where the power is absent. */
    const isAble = async (target: AgentTarget, power: TargetPower, tried: () => Promise<unknown>) => {
      if (target.powers.has(power)) return true;
      expect(await codeOf(tried())).toBe('control_not_supported');
      return false;
    };
    const said = ({ messages }: Watched): string =>
      messages()
        .filter(({ role, details }) => role === 'assistant' && details === undefined)
        .map(({ content }) => content)
        .join('\n');

    test('a launched agent has a place and a signature', async () => {
      const { target } = await launch();
      const { display_name, status, activity, workspace } = target.describe();
      expect({ display_name, status, activity: activity.kind, workspace }).toEqual({
        display_name: 'A test',
        status: 'healthy',
        activity: 'idle',
        workspace: harness.workspace,
      });
      expect(target.signature).not.toBe('');
    });

    test('[CHT-148] injects a message once, and observes its answer as one message', async () => {
      const watched = await launch();
      await watched.target.inject({ text: 'say one two three', attachments: [] });
      await watched.until(() => said(watched).includes('three'));
      await watched.idle();
      expect(said(watched)).toBe('one two three');
      expect(harness.taken().filter((text) => text === 'say one two three')).toHaveLength(1);
    });

    test('[CHT-165] a transcript that repeats a send adds nothing', async () => {
      const watched = await launch();
      await watched.target.inject({ text: 'echo; say heard', attachments: [] });
      await watched.until(() => said(watched).includes('heard'));
      await watched.idle();
      expect(watched.messages().filter(({ role }) => role === 'user')).toEqual([]);
    });

    test('[CHT-231] [CHT-232] reports a dialog once, with a choice that denies, and answers it', async () => {
      const watched = await launch();
      const { target } = watched;
      if (!(await isAble(target, 'permission_dialogs', () => target.answer('none', 'yes')))) return;
      const prompts = () => watched.seen.flatMap((each) => (each.kind === 'prompt' ? [each.prompt] : []));
      for (const [choice, answer] of [['yes', 'removed'] as const, ['no', 'left alone'] as const]) {
        const before = prompts().length;
        await target.inject({ text: 'ask permission', attachments: [] });
        await watched.until(() => prompts().length > before);
        expect(target.describe().activity.kind).toBe('waiting_for_user');
        const prompt = prompts().at(-1);
        expect(prompt?.prompt_text).toContain('rm -r build');
        const byDefault = prompt?.choices.find(({ is_default }) => is_default);
        expect(byDefault).toMatchObject({ choice_id: prompt?.default_choice, effect: 'deny' });
        expect(await codeOf(target.answer(prompt?.prompt_id ?? '', 'no such choice'))).toBe(
          'invalid_message',
        );
        await target.answer(prompt?.prompt_id ?? '', choice);
        await watched.until(() => said(watched).includes(answer));
        await watched.idle();
        expect(await codeOf(target.answer(prompt?.prompt_id ?? '', choice))).toBe('prompt_not_found');
      }
      expect(new Set(prompts().map(({ prompt_id }) => prompt_id)).size).toBe(2);
    });

    test('reports a question with its form, and its answer reaches the agent', async () => {
      const watched = await launch();
      const { target } = watched;
      if (!(await isAble(target, 'questions', () => target.reply('none', { answer: 'cancel' })))) return;
      await target.inject({ text: 'ask question', attachments: [] });
      const questions = () =>
        watched.seen.flatMap((each) => (each.kind === 'question' ? [each.question] : []));
      await watched.until(() => questions().length === 1);
      expect(questions()[0]).toMatchObject({ text: 'Which port?', form: { properties: { port: {} } } });
      await target.reply(questions()[0]?.question_id ?? '', { answer: 'accept', values: { port: 80 } });
      await watched.until(() => said(watched).includes('accept {"port":80}'));
      await watched.idle();
    });

    test('[CHT-241] stops a working agent, and no idle one', async () => {
      const watched = await launch();
      const { target } = watched;
      if (!(await isAble(target, 'interrupt', () => target.interrupt()))) return;
      expect(await codeOf(target.interrupt())).toBe('agent_not_active');
      await target.inject({ text: 'slow', attachments: [] });
      await watched.until(() => target.describe().activity.kind === (harness.slowIs ?? 'running_command'));
      await target.interrupt();
      expect(target.describe().activity.kind).toBe('idle');
      if (!target.powers.has('permission_dialogs')) return;
      await target.inject({ text: 'ask permission', attachments: [] });
      await watched.until(() => watched.seen.some(({ kind }) => kind === 'prompt'));
      await target.interrupt();
      expect(watched.seen.some(({ kind }) => kind === 'prompt_gone')).toBe(true);
    });

    test('[CHT-247] [CHT-248] changes the model, and reads it back', async () => {
      const { target } = await launch();
      if (!(await isAble(target, 'set_model', () => target.configure({ model: 'large' })))) return;
      expect(await target.configuration()).toMatchObject({
        model_id: 'small',
        available_models: ['small', 'large'],
      });
      expect(await target.configure({ model: 'large' })).toMatchObject({ model_id: 'large' });
      expect(await codeOf(target.configure({ model: 'huge' }))).toBe('model_not_available');
      expect(await target.configuration()).toMatchObject({ model_id: 'large' });
    });

    test('[CHT-285] changes the mode, and reads it back', async () => {
      const { target } = await launch();
      if (!(await isAble(target, 'set_mode', () => target.configure({ mode: 'plan' })))) return;
      const before = await target.configuration();
      expect(before.available_modes?.map(({ mode_id }) => mode_id)).toEqual(['ask', 'plan']);
      expect(before).toMatchObject({ permission_mode: 'ask', mode_id: 'ask' });
      const name = before.available_modes?.[1]?.name;
      const changed = { permission_mode: 'unknown', permission_mode_name: name, mode_id: 'plan' };
      expect(await target.configure({ mode: 'plan' })).toMatchObject(changed);
      expect(await codeOf(target.configure({ mode: 'yolo' }))).toBe('mode_not_available');
      expect(await target.configuration()).toMatchObject(changed);
    });

    test('files reach the agent', async () => {
      const watched = await launch();
      const { target } = watched;
      if (!target.powers.has('attachments')) return;
      const bytes = new TextEncoder().encode('line');
      const attachments = [
        { attachment_id: 'file_a', name: 'a.txt', mime: 'text/plain', bytes },
        { attachment_id: 'file_b', name: 'b.png', mime: 'image/png', bytes },
        { attachment_id: 'file_c', name: '../c.zip', mime: 'application/zip', bytes },
      ];
      await target.inject({ text: 'blocks', attachments });
      await watched.until(() => said(watched).includes('c.zip'));
      await watched.idle();
      expect(said(watched)).toContain('resource line | image image/png 8 | link ../c.zip');
    });

    test('[CHT-151] reports no delivery when the agent ended before it had the message', async () => {
      const watched = await launch();
      const { target } = watched;
      const before = harness.taken().length;
      const outcome = await codeOf(target.inject({ text: 'crash', attachments: [] }));
      expect(outcome === 'ok' || outcome === 'delivery_unknown' || outcome === 'send_injection_failed').toBe(
        true,
      );
      if (outcome === 'ok') expect(harness.taken()).toHaveLength(before + 1);
      if (outcome === 'send_injection_failed') expect(harness.taken()).toHaveLength(before);
    });

    test('[CHT-124] a durable conversation is found again under the same signature, and continues', async () => {
      const first = await launch();
      const { signature } = first.target;
      const { lasting } = first.target.describe();
      if (!lasting || harness.restarted === undefined) return;
      await first.target.inject({ text: 'say before', attachments: [] });
      await first.until(() => said(first).includes('before'));
      await first.idle();
      const adapter = harness.restarted();
      try {
        const [target] = await adapter.discover([
          { signature, workspace: harness.workspace, title: 'A test' },
        ]);
        if (target === undefined) throw new Error('It was not found again.');
        expect(target.signature).toBe(signature);
        const again = watch(target);
        await target.inject({ text: 'say after', attachments: [] });
        await again.until(() => said(again).includes('after'));
        expect(said(again)).toBe('after');
      } finally {
        await adapter.close();
      }
    });

    test('[CHT-204] a closed conversation accepts no more messages', async () => {
      const { target } = await launch();
      if (!(await isAble(target, 'close', () => target.close()))) return;
      await target.close();
      expect(await codeOf(target.inject({ text: 'say late', attachments: [] }))).toBe(
        'send_injection_failed',
      );
      expect(harness.taken()).not.toContain('say late');
    });
  });
}
