import { fileURLToPath } from 'node:url';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shown } from '../test/component-page.ts';
import { de } from './words/de.ts';
import { en } from './words/en.ts';

const ENTRY = fileURLToPath(new URL('../test/component-page.ts', import.meta.url));

let opened: OpenPage;
beforeAll(async () => {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    tsconfig: false,
    logLevel: 'silent',
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({ format: 'iife', codeSplitting: false });
  await build.close();
  opened = await openPage();
  await opened.page.setContent('<!doctype html><html lang=en><body></body>');
  await opened.page.evaluate(output[0].code);
});
afterAll(() => opened.close());

async function show(name: string, props: object, more: Partial<Shown> = {}) {
  const { page } = opened;
  const shown: Shown = { name, props, calls: [], language: 'en', ...more };
  await page.evaluate((all) => Reflect.get(globalThis, 'showComponent')(all), shown);
  await page.waitForFunction(() => document.querySelector('main')?.childElementCount);
  const calls = (): Promise<unknown[][]> => page.evaluate(() => Reflect.get(globalThis, 'recordedCalls'));
  return { page, calls };
}

const LANGUAGES = [
  ['en', en],
  ['de', de],
] as const;

describe.each(LANGUAGES)('a message of a person (%s)', (language, words) => {
  const entry = (delivery: object, more: object = {}) => ({
    ...{ kind: 'message', id: 'm1', role: 'user', content: 'Run the tests', at: 0, attachments: [] },
    ...{ delivery, ...more },
  });
  const row = (delivery: object, isStarted = false, more: object = {}) =>
    show(
      'MessageRow',
      { entry: entry(delivery, more), isStarted, actions: { loadFile: null } },
      { language },
    );

  test.each([
    ['queued', { status: 'queued' }, false],
    ['accepted', { status: 'accepted' }, false],
    ['checking', { status: 'accepted', isChecking: true }, false],
    ['delivered', { status: 'delivered' }, false],
    ['started', { status: 'delivered' }, true],
    ['failed', { status: 'failed', isUnknown: false, message: 'disk full' }, false],
    ['unknown', { status: 'failed', isUnknown: true }, true],
    ['cancelled', { status: 'cancelled' }, false],
  ] as const)('has the tick "%s"', async (stage, delivery, isStarted) => {
    const { page } = await row(delivery, isStarted);
    const tick = page.locator(`[data-stage="${stage}"]`);
    expect(await tick.getAttribute('aria-label')).toBe(words.tick[stage]);
    expect(await page.locator('[data-stage]').count()).toBe(1);
  });

  test('can be edited only while the relay has it, and sent again only after it failed', async () => {
    const buttons = async (delivery: object) => {
      const { page } = await row(delivery);
      // Copying has an icon alone.
      return (await page.getByRole('button').allTextContents()).filter((text) => text !== '');
    };
    expect(await buttons({ status: 'queued' })).toEqual([words.tick.cancel]);
    expect(await buttons({ status: 'accepted' })).toEqual([words.tick.edit, words.tick.cancel]);
    expect(await buttons({ status: 'delivered' })).toEqual([]);
    expect(await buttons({ status: 'accepted', isChecking: true })).toEqual([]);
    expect(await buttons({ status: 'failed', isUnknown: true })).toEqual([words.tick.retry, words.tick.drop]);
  });

  test('warns where sending again may double it', async () => {
    const { page } = await row({ status: 'failed', isUnknown: true });
    await page.getByText(`${words.tick.unknownLost} ${words.tick.unknownSays}`).waitFor();
    const known = await row({ status: 'failed', isUnknown: true, message: 'The agent ended first.' });
    await known.page.getByText(`The agent ended first. ${words.tick.unknownSays}`).waitFor();
  });
});

test.each([
  ['en', 'Pressed “Add” on shop.example.', 'Ada took over the browser. The agent waits.'],
  ['de', 'Hat „Add“ gedrückt, auf shop.example.', 'Ada hat den Browser übernommen. Der Agent wartet.'],
] as const)(
  "says the relay's sentences in the language of the page (%s)",
  async (language, step, takeover) => {
    const shown = (content: string, details?: object) =>
      show(
        'MessageRow',
        {
          entry: { kind: 'message', id: 's', role: 'system', content, details, at: 0, attachments: [] },
          ...{ isStarted: false, actions: { loadFile: null } },
        },
        { language },
      );
    const details = { kind: 'step', task_id: 's', index: 0, action: 'click("7")', status: 'ok' };
    const { page } = await shown('Pressed “Add” on shop.example.', details);
    await page.getByText(step).waitFor();
    await shown('Ada took over the browser. The agent waits.');
    await page.getByText(takeover).waitFor();
  },
);

test('an answer of an agent is Markdown without scripts, pictures or unsafe links', async () => {
  const content =
    '**bold** <b onclick=x()>raw</b> [ok](https://a.example) [bad](javascript:x) ![pic](https://b.example/p.png)';
  const entry = { kind: 'message', id: 'a', role: 'assistant', content, at: 0, attachments: [] };
  const { page } = await show('MessageRow', { entry, isStarted: false, actions: { loadFile: null } });
  await page.locator('strong', { hasText: 'bold' }).waitFor();
  expect(await page.locator('main b, main img').count()).toBe(0);
  const links = await page.locator('main a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  expect(links).toEqual(['https://a.example', 'https://b.example/p.png']);
});

describe('the prompt card', () => {
  const choices = [
    { choice_id: 'once', label: 'Yes', effect: 'allow' },
    { choice_id: 'deny', label: 'No', effect: 'deny' },
  ];
  const prompt = { session_id: 's', prompt_id: 'p', prompt_text: 'Run rm -rf build?', choices };
  const card = (more: object = {}, over: Partial<Shown> = {}) =>
    show('PromptCard', { prompt, isOnline: true, ...more }, { calls: ['onAnswer'], ...over });

  test('shows the choice that denies first', async () => {
    const { page } = await card();
    expect(await page.getByRole('button').allTextContents()).toEqual(['No', 'Yes']);
  });

  test('ignores a tap before its buttons are armed', async () => {
    await opened.page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const buttons = document.querySelectorAll('button');
        for (const button of buttons) button.click();
        if (buttons.length > 0) observer.disconnect();
      });
      document.querySelector('main')?.remove();
      observer.observe(document.body, { childList: true, subtree: true });
    });
    const { page, calls } = await card();
    await page.locator('[data-armed=true]').first().waitFor();
    const early = await calls();
    await page.getByRole('button', { name: 'Yes' }).click();
    expect([early, await calls()]).toEqual([[], [['onAnswer', 'once']]]);
  });

  test('is answered by keyboard alone', async () => {
    const { page, calls } = await card();
    await page.locator('[data-armed=true]').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await calls()).toEqual([['onAnswer', 'once']]);
  });

  test.each(LANGUAGES)('is locked without a connection, and says so (%s)', async (language, words) => {
    const { page, calls } = await card({ isOnline: false }, { language });
    await page.getByText(words.link.down).waitFor();
    await page.getByRole('button', { name: 'Yes' }).click({ force: true });
    expect(await calls()).toEqual([]);
  });

  test.each(LANGUAGES)(
    'puts a question of a browser into words, amounts and all (%s)',
    async (language, words) => {
      const prompt_text = [
        'element.click on “Pay 49 €” at https://pay.example. This can’t be undone.',
        'Where: https://pay.example',
        'Amount: Total 49 €',
        'This can’t be undone.',
      ].join('\n');
      const { page } = await card({ prompt: { ...prompt, prompt_text } }, { language });
      await page.getByText(words.prompt.undone, { exact: true }).waitFor();
      await page.getByText('Total 49 €').waitFor();
      expect(await page.getByRole('button', { name: words.prompt.choices.once }).count()).toBe(1);
      expect(await page.getByText('element.click').count()).toBe(0);
      await page.getByText(words.prompt.asked).click();
      await page.getByText('element.click').waitFor();
    },
  );

  test.each(LANGUAGES)(
    'names the button that sends a form, and what each yes reaches (%s)',
    async (language, words) => {
      const prompt_text = [
        'Send this form to shop.example? A yes stands for this form while the tab is lent.',
        'Where: https://shop.example',
        '· pressing: “Add to cart”',
      ].join('\n');
      const form = ['always', 'once', 'deny'].map((choice_id) => ({
        ...{ choice_id, label: choice_id, is_default: false },
        effect: choice_id === 'deny' ? ('deny' as const) : ('allow' as const),
      }));
      const { page } = await card({ prompt: { ...prompt, prompt_text, choices: form } }, { language });
      await page
        .getByText(words.prompt.does['element.click'](words.prompt.named('Add to cart')), { exact: true })
        .waitFor();
      const { choices: named, reach } = words.prompt;
      const reaches = async (name: string): Promise<string | null> => {
        const id = await page.getByRole('button', { name, exact: true }).getAttribute('aria-describedby');
        return id && page.locator(`[id="${id}"]`).textContent();
      };
      expect(await reaches(named.once)).toBe(reach.once.form);
      expect(await reaches(named.always)).toBe(reach.always.form('shop.example'));
      expect(await reaches(named.deny)).toBeNull();
      expect(await page.getByText('pressing').count()).toBe(0);
    },
  );

  test.each(LANGUAGES)(
    'names the agent, the page before its frame, and denies with a reason (%s)',
    async (language, words) => {
      const prompt_text = [
        'element.click on “Pay 49 €” at https://pay.example.',
        'Where: https://pay.example',
        'Asked by: my-buyer',
        'In a frame on: Checkout · https://shop.example',
      ].join('\n');
      const { page, calls } = await card(
        { prompt: { ...prompt, prompt_text }, takesReason: true },
        { language },
      );
      await page.getByText(words.prompt.asks('my-buyer')).waitFor();
      expect(await page.locator('dt').allTextContents()).toEqual([words.prompt.where, words.prompt.frameOn]);
      expect(await page.locator('dd').allTextContents()).toEqual([
        'Checkout · https://shop.example',
        'https://pay.example',
      ]);
      await page.getByRole('button', { name: words.prompt.withReason }).click();
      await page.getByRole('textbox', { name: words.prompt.reason }).fill(' Too dear. ');
      await page.locator('[data-armed=true]').first().waitFor();
      await page.getByRole('button', { name: words.prompt.choices.deny, exact: true }).click();
      expect(await calls()).toEqual([['onAnswer', 'deny', 'Too dear.']]);
    },
  );

  test('shows what was asked as text, never as markup', async () => {
    const { page } = await card({ prompt: { ...prompt, prompt_text: '<img src=x onerror=alert(1)>' } });
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });
});

describe('the question card', () => {
  const form = {
    type: 'object',
    properties: { size: { type: 'integer', title: 'Size' } },
    required: ['size'],
  };
  const props = { question: { question_id: 'q', text: 'Which size?', form }, isAnswering: false };

  test('names a field that is wrong, and answers when it is right', async () => {
    const { page, calls } = await show('QuestionCard', props, { calls: ['onAnswer', 'onDecline'] });
    const field = page.getByRole('textbox', { name: 'Size' });
    await field.fill('many');
    await field.press('Enter');
    await page.getByText(en.prompt.number).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('42');
    await field.press('Enter');
    expect(await calls()).toEqual([['onAnswer', { size: 42 }]]);
  });
});

describe('the composer', () => {
  const props = { name: 'Codex', text: '', uploads: [] };
  const composer = (more: object = {}, language: 'en' | 'de' = 'en') =>
    show(
      'Composer',
      { ...props, ...more },
      { language, calls: ['onText', 'onSend', 'onFiles', 'onRemove', 'onRetry'] },
    );

  test.each(LANGUAGES)(
    'sends on Enter, starts a line on Shift+Enter, never sends an empty message (%s)',
    async (language, words) => {
      const { page, calls } = await composer({}, language);
      const box = page.getByRole('textbox', { name: words.compose.label });
      expect(await box.getAttribute('placeholder')).toBe(words.compose.placeholder('Codex'));
      await box.press('Enter');
      expect(await page.getByRole('button', { name: words.compose.send }).isDisabled()).toBe(true);
      await box.pressSequentially('one');
      await box.press('Shift+Enter');
      await box.pressSequentially('two');
      expect(await box.inputValue()).toBe('one\ntwo');
      expect(await calls()).toEqual([]);
      await box.press('Enter');
      expect(await calls()).toEqual([['onSend']]);
    },
  );

  test('does not send the Enter that ends a composition', async () => {
    const { page, calls } = await composer({ text: 'にほん' });
    await page.getByRole('textbox', { name: 'Message' }).evaluate((box) => {
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));
    });
    expect(await calls()).toEqual([]);
  });

  test('waits for an upload, and offers to repeat or remove one that failed', async () => {
    const { page, calls } = await composer({
      text: 'see this',
      uploads: [
        { id: 'a', name: 'a.png', state: 'uploading' },
        { id: 'b', name: 'b.png', state: 'failed', problem: 'too large' },
      ],
    });
    expect(await page.getByRole('button', { name: en.compose.send }).isDisabled()).toBe(true);
    await page.getByText(en.compose.uploadFailed('too large')).waitFor();
    await page.getByRole('button', { name: en.compose.retry }).click();
    await page.getByRole('button', { name: en.compose.remove('a.png') }).click();
    expect(await calls()).toEqual([
      ['onRetry', 'b'],
      ['onRemove', 'a'],
    ]);
  });

  test('takes files that are picked', async () => {
    const { page, calls } = await composer();
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.locator('input[type=file][multiple]').setInputFiles(file);
    expect(await calls()).toEqual([['onFiles', ['note.txt']]]);
  });
});

describe('dictation', () => {
  /** A recognizer of the platform that hears what the test says; a real one needs a microphone and a network. */
  const hears = () =>
    opened.page.evaluate(() => {
      class Recognizer {
        onresult?: (event: object) => void;
        onerror?: (event: object) => void;
        onend?: () => void;
        start(): void {
          Reflect.set(globalThis, 'recognizer', this);
        }
        stop(): void {
          this.onend?.();
        }
        abort(): void {
          Reflect.set(this, 'isAborted', true);
        }
        say(...heard: string[]): void {
          this.onresult?.({ results: heard.map((transcript) => [{ transcript }]) });
        }
        fail(error: string): void {
          this.onerror?.({ error });
          this.onend?.();
        }
      }
      Object.assign(globalThis, { webkitSpeechRecognition: Recognizer, SpeechRecognition: undefined });
      Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true });
    });
  const hear = (call: 'say' | 'fail', ...words: string[]) =>
    opened.page.evaluate(([name, said]) => Reflect.get(globalThis, 'recognizer')[name](...said), [
      call,
      words,
    ] as const);
  const composer = (language: 'en' | 'de' = 'en') =>
    show(
      'Composer',
      { name: 'Codex', text: 'Fix it', uploads: [] },
      { language, calls: ['onText', 'onSend'] },
    );

  test.each(LANGUAGES)(
    'says first where the recording goes, then writes what it hears (%s)',
    async (language, words) => {
      await hears();
      const { page } = await composer(language);
      const button = page.getByRole('button', { name: words.dictation.button, exact: true });
      const box = page.getByRole('textbox', { name: words.compose.label });
      await button.click();
      await page.getByText(words.dictation.says).waitFor();
      await page.getByRole('button', { name: words.dictation.begin }).click();
      await page.getByText(words.dictation.listens).waitFor();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      await hear('say', 'and tets');
      await expect.poll(() => box.inputValue()).toBe('Fix it and tets');
      await hear('say', 'and test it', ' twice');
      await expect.poll(() => box.inputValue()).toBe('Fix it and test it twice');
      await page.keyboard.press('Escape');
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
      // Explained once; the button also ends it.
      await button.click();
      await button.click();
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
      await button.click();
      await hear('fail', 'not-allowed');
      await page.getByRole('alert').getByText(words.dictation.problems['not-allowed']).waitFor();
    },
  );

  test('ends when the person types, and writes no more', async () => {
    await hears();
    const { page } = await composer();
    const button = page.getByRole('button', { name: en.dictation.button, exact: true });
    const box = page.getByRole('textbox', { name: en.compose.label });
    await button.click();
    await page.getByRole('button', { name: en.dictation.begin }).click();
    await hear('say', 'now');
    await expect.poll(() => box.inputValue()).toBe('Fix it now');
    await box.fill('Fix it later');
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
    await hear('say', 'now please');
    expect(await box.inputValue()).toBe('Fix it later');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'recognizer').isAborted)).toBe(true);
  });

  test('has no button where the browser has no dictation, or may use no microphone', async () => {
    const { page } = opened;
    const count = async () => {
      await composer();
      return page.getByRole('button', { name: en.dictation.button, exact: true }).count();
    };
    await hears();
    expect(await count()).toBe(1);
    await page.evaluate(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }));
    expect(await count()).toBe(0);
    await hears();
    await page.evaluate(() => Reflect.set(globalThis, 'webkitSpeechRecognition', undefined));
    expect(await count()).toBe(0);
  });
});

describe('a session in the list', () => {
  const props = {
    ...{ name: 'Codex', place: 'laptop', line: 'Done', at: Date.now(), unread: 0, waits: 0, isPinned: false },
    ...{ isAway: false, isWorking: false, isChosen: false, href: '#s', menu: null },
  };
  const row = (more: object, language: 'en' | 'de' = 'en') =>
    show('SessionRow', { ...props, ...more }, { language, calls: ['onOpen'] });

  test.each(LANGUAGES)('shows first that it waits for a person (%s)', async (language, words) => {
    const { page } = await row({ waits: 1, isAway: true, unread: 120 }, language);
    await page.getByText(words.activity.waiting_for_user).waitFor();
    expect(await page.getByText(words.list.away).count()).toBe(0);
    expect(await page.getByRole('img', { name: words.list.unread(120) }).textContent()).toBe('99+');
  });

  test('shows that its machine is offline, or its activity', async () => {
    await (await row({ isAway: true })).page.getByText(en.list.away).waitFor();
    const { page } = await row({ isWorking: true, activity: { kind: 'working', label: 'Reading a.ts' } });
    await page.getByText('Reading a.ts').waitFor();
  });

  test('opens by keyboard, and leaves a new tab to the browser', async () => {
    const { page, calls } = await row({ isChosen: true });
    const link = page.getByRole('link');
    expect(await link.getAttribute('aria-current')).toBe('page');
    await link.focus();
    await page.keyboard.press('Enter');
    expect(await calls()).toHaveLength(1);
    await link.evaluate((a) => {
      a.addEventListener('click', (event) => event.preventDefault(), { once: true });
      a.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true }));
    });
    expect(await calls()).toHaveLength(1);
  });
});
