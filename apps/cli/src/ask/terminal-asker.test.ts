import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { Question } from '@drawbridge/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTerminalAsker } from './terminal-asker.ts';
import { openTty } from './tty.ts';

const QUESTION: Question = {
  question_id: 'q1',
  runtime_id: 'r1',
  call_id: 'c1',
  origin: 'https://shop.example',
  name: 'cart.add',
  effect: 'act',
  sentence: 'cart.add on “Add to cart” at https://shop.example',
  data: ['quantity: 2'],
  call_hash: 'h1',
  expires_at: 60_000,
};

/** A cancellable call. */
function call() {
  const calling = new AbortController();
  return {
    signal: calling.signal,
    cancel: () => calling.abort(),
    listening: () => getEventListeners(calling.signal, 'abort').length,
  };
}

/** A terminal with a person and a fake clock. */
function setUp({ isTTY = true, columns = 40 } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const lines: string[] = [];
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  let [now, made] = [0, 0];
  const print = (line: string) => void lines.push(line);
  const asker = createTerminalAsker(
    { stdin, print, printError: print, columns },
    {
      timers: {
        now: () => now,
        after(ms, run) {
          const id = made++;
          timers.set(id, { at: now + ms, run });
          return () => timers.delete(id);
        },
      },
      howToApprove: 'approve it in the side panel',
    },
  );
  onTestFinished(() => asker.close());
  return {
    ...asker,
    stdin,
    lines,
    text: () => lines.join('\n'),
    timers: () => timers.size,
    pass(ms: number) {
      now += ms;
      for (const [id, { at, run }] of [...timers]) if (at <= now && timers.delete(id)) run();
    },
    /** Resolves when the asker has read the line. */
    async type(line: string) {
      stdin.write(`${line}\n`);
      while (stdin.readableLength > 0) await new Promise(setImmediate);
      await new Promise(setImmediate);
    },
  };
}

describe('an answer', () => {
  test.each([
    ['y', 'once'],
    [' YES ', 'once'],
    ['a', 'always'],
    ['n', 'deny'],
    ['', 'deny'],
  ])('%j is %s', async (typed, decision) => {
    const here = setUp();
    const answer = here.ask(QUESTION, call().signal);
    here.pass(1000);
    await here.type(typed);
    expect(await answer).toEqual({ decision, call_hash: 'h1', by: 'the person at the terminal' });
    expect(here.timers()).toBe(0);
  });

  test('that is invalid repeats the question', async () => {
    const here = setUp();
    const answer = here.ask(QUESTION, call().signal);
    here.pass(1000);
    await here.type('yy');
    await here.type('sure, why not');
    expect(here.lines.filter((line) => line.startsWith('Type one letter.'))).toHaveLength(2);
    await here.type('y');
    expect(await answer).toMatchObject({ decision: 'once' });
  });

  test('that was typed before the question could be read is ignored', async () => {
    const here = setUp();
    const first = here.ask(QUESTION, call().signal);
    const second = here.ask({ ...QUESTION, call_hash: 'h2', sentence: 'pay' }, call().signal);
    here.pass(1000);
    await here.type('y\ny');
    expect(await first).toMatchObject({ decision: 'once', call_hash: 'h1' });
    expect(here.lines.at(-1)).toContain('You typed that before this question.');
    here.pass(1000);
    await here.type('n');
    expect(await second).toMatchObject({ decision: 'deny', call_hash: 'h2' });
  });

  test('always is not offered for an irreversible action', async () => {
    const here = setUp();
    const answer = here.ask({ ...QUESTION, effect: 'irreversible' }, call().signal);
    expect(here.text()).toContain('This can’t be undone.');
    expect(here.text()).not.toContain('a = always');
    here.pass(1000);
    await here.type('a');
    await here.type('n');
    expect(await answer).toMatchObject({ decision: 'deny' });
  });
});

describe('a question', () => {
  test('shows action, place and data in a narrow terminal', () => {
    const here = setUp();
    void here.ask(QUESTION, call().signal);
    expect(here.lines).toEqual([
      '',
      'An agent asks for your permission:',
      '  cart.add on “Add to cart” at',
      '  https://shop.example',
      'Where:',
      '  https://shop.example',
      'With:',
      '    quantity: 2',
      'y = yes, this once   a = always here   n = no (Enter)',
    ]);
  });

  test('waits for the previous one', async () => {
    const here = setUp();
    void here.ask(QUESTION, call().signal);
    const second = here.ask({ ...QUESTION, call_hash: 'h2', sentence: 'second thing' }, call().signal);
    expect(here.text()).not.toContain('second thing');
    here.pass(1000);
    await here.type('y');
    expect(here.text()).toContain('second thing');
    here.pass(1000);
    await here.type('y');
    expect(await second).toMatchObject({ decision: 'once', call_hash: 'h2' });
  });

  test('goes away when its call ends, shown or not', async () => {
    const here = setUp();
    const [shown, unseen] = [call(), call()];
    const first = here.ask(QUESTION, shown.signal);
    const second = here.ask({ ...QUESTION, sentence: 'second thing' }, unseen.signal);
    const third = here.ask({ ...QUESTION, sentence: 'third thing', call_hash: 'h3' }, call().signal);
    unseen.cancel();
    expect(await second).toMatchObject({ decision: 'deny', by: 'nobody' });
    shown.cancel();
    expect(await first).toMatchObject({ decision: 'deny', reason: expect.stringContaining('over') });
    expect(here.text()).not.toContain('second thing');
    expect(here.text()).toContain('third thing');
    here.pass(1000);
    await here.type('y');
    expect(await third).toMatchObject({ decision: 'once', call_hash: 'h3' });
    expect([shown.listening(), unseen.listening()]).toEqual([0, 0]);
  });

  test('is not shown when its call has ended', async () => {
    const here = setUp();
    expect(await here.ask(QUESTION, AbortSignal.abort())).toMatchObject({ decision: 'deny' });
    expect(here.lines).toEqual([]);
  });

  test('is refused at its deadline, also while queued', async () => {
    const here = setUp();
    const first = here.ask(QUESTION, call().signal);
    const second = here.ask({ ...QUESTION, expires_at: 10_000 }, call().signal);
    here.pass(10_000);
    expect(await second).toMatchObject({ decision: 'deny', reason: 'nobody answered in time' });
    here.pass(50_000);
    expect(await first).toMatchObject({ decision: 'deny', reason: 'nobody answered in time' });
  });

  test('may wait longer than a timer can', () => {
    const here = setUp();
    void here.ask({ ...QUESTION, expires_at: Number.MAX_SAFE_INTEGER }, call().signal);
    here.pass(1000);
    expect(here.timers()).toBe(1);
  });

  test('is refused at once without a terminal, with a way out', async () => {
    const here = setUp({ isTTY: false });
    expect(await here.ask(QUESTION, call().signal)).toEqual({
      decision: 'deny',
      call_hash: 'h1',
      by: 'nobody',
      reason: 'nobody can be asked here: approve it in the side panel',
    });
    expect(here.lines).toEqual([]);
  });

  test('is refused when the terminal closes, and so is every later one', async () => {
    const here = setUp();
    const answer = here.ask(QUESTION, call().signal);
    here.stdin.end();
    expect(await answer).toMatchObject({ decision: 'deny', reason: expect.stringContaining('closed') });
    expect(await here.ask(QUESTION, call().signal)).toMatchObject({ decision: 'deny', by: 'nobody' });
  });

  test('is refused when Drawbridge stops', async () => {
    const here = setUp();
    const answer = here.ask(QUESTION, call().signal);
    here.close();
    here.close();
    expect(await answer).toMatchObject({ decision: 'deny', by: 'nobody' });
  });
});

describe('text of a page or an agent', () => {
  const ATTACKS = [
    'pay\u001b[2K\u001b[1A\u001b[8m 900 €',
    'pay\u009b2J\u009d0;title\u0007 900 €',
    'pay\r\nWhere:\r\n  https://bank.example\r\ny = yes',
    'pay\u202e00.9\u202c \u2066x\u2069\u200b\u{e0041}',
    'pay\u2028Where:\u2029x\u0085y',
    'pay\b\b\b\u0000\u007f\u000b\u000c',
    `Z${'\u0301'.repeat(80)}algo`,
    `pay${' '.repeat(500)}y = yes, this once`,
    `${'x'.repeat(200)} ${'An agent asks for your permission:'.repeat(20)}`,
    '\ud800\udc00\ud800 \u3164\uffa0',
  ];
  const fields = ATTACKS.flatMap((text) => [
    { ...QUESTION, sentence: text },
    { ...QUESTION, origin: text },
    { ...QUESTION, data: [text, text] },
  ]);

  test.each(fields)('neither moves the cursor, hides, nor starts a line (%#)', (question) => {
    const here = setUp();
    void here.ask(question, call().signal);
    expect(here.text().replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|\p{M}{4}/u);
    const ours = here.lines.filter((line) => !line.startsWith('  '));
    expect(ours).toEqual([
      '',
      'An agent asks for your permission:',
      'Where:',
      'With:',
      'y = yes, this once   a = always here   n = no (Enter)',
    ]);
    for (const line of here.lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(40);
    expect(here.lines.length).toBeLessThan(40);
  });

  test('is cut when too long, and the rest is counted', () => {
    const here = setUp();
    void here.ask(
      { ...QUESTION, data: Array.from({ length: 30 }, (_, index) => `line ${index}`) },
      call().signal,
    );
    expect(here.text()).toContain('and 16 more, not shown.');
  });
});

test('a process without a terminal opens none', () => {
  expect(openTty('/no/such/tty')).toBeUndefined();
});

test('leaves standard input alone until there is a question', () => {
  const stdin = Object.assign(Readable.from(['y\n']), { isTTY: true });
  createTerminalAsker({ stdin, print: () => {}, printError: () => {} });
  expect(stdin.readableFlowing).toBeNull();
});

test('reports a page that needs a person, without blocking questions', async () => {
  const here = setUp();
  const printed = here.ask(
    { ...QUESTION, kind: 'handover', sentence: 'The check badge\u001b[2J failed.' },
    call().signal,
  );
  expect(await printed).toMatchObject({ decision: 'once' });
  expect(here.lines.join('\n')).toContain('needs you: The check badge\\u{1b}[2J failed.');
  void here.ask(QUESTION, call().signal);
  expect(here.lines.join('\n')).toContain('cart.add');
});
