import { describe, expect, test } from 'vitest';
import { fresh, useRelay } from '../../test/contract/contract-harness.ts';
import { answerOf, closeOf, interruptOf, launchOf, sendOf, statusOf } from '../../test/contract/frames.ts';
import { SENDERS } from '../../test/contract/matrix-cells.ts';
import type { Peer } from '../../test/contract/peer.ts';
import { pictureOf, type Screen } from '../../test/contract/screen.ts';
import { type Browser, openBrowser } from '../../test/contract/scripted-browser.ts';
import { type ProxyOptions, startProxy } from '../../test/contract/scripted-proxy.ts';

const harness = useRelay({ limits: { browser_burst: 2_000 } });

const says = (screen: Screen, session_id: string, text: string): boolean =>
  [...(screen.transcripts.get(session_id)?.values() ?? [])].includes(text);

const activityOf = (screen: Screen, session_id: string) => screen.sessions.get(session_id)?.activity;

interface Run {
  readonly browser: Browser;
  readonly companion: Browser;
  readonly session_ids: readonly string[];
  readonly proxy: Peer;
}

/** From a launch to a close, with a browser that may be cut off while another watches. */
async function run(options: { readonly cutAt?: number; readonly echoes?: boolean } = {}): Promise<Run> {
  const [first, request_id] = [fresh('session'), fresh('launch')];
  const own = new Set<string>();
  const proxyOptions: ProxyOptions = { sessions: [[first, 'First']], echoes: options.echoes ?? false };
  const { peer: proxy, machine_label, session_ids } = await startProxy(harness, proxyOptions);
  const isOwn = (session_id: string) => own.has(session_id) || session_ids().includes(session_id);
  const companion = await openBrowser(harness, { isOwn });
  const { cutAt } = options;
  const browser = await openBrowser(harness, { isOwn, ...(cutAt !== undefined && { cutAt }) });
  own.add(first);

  await browser.until(
    ({ sessions, launching }) =>
      launching.size === 0 &&
      [...sessions.values()].some(({ session_id }) => session_id !== first && isOwn(session_id)),
    launchOf(request_id, { machine_label, window_title: 'Second' }),
  );
  const second = session_ids().find((id) => id !== first) ?? '';
  own.add(second);
  await browser.until(
    (screen) => says(screen, second, 'You said: hello'),
    sendOf(second, 'c1', { content: 'hello' }),
  );
  await browser.until(
    ({ prompts }) => prompts.has(`${second}/may c2`),
    sendOf(second, 'c2', { content: 'ask' }),
  );
  await browser.until(
    (screen) => !screen.prompts.has(`${second}/may c2`) && says(screen, second, 'You chose: yes'),
    answerOf(second, 'may c2', { request_id: fresh('answer') }),
  );
  await browser.until(
    (screen) => activityOf(screen, second)?.kind === 'generating',
    sendOf(second, 'c3', { content: 'work' }),
  );
  await browser.until(
    (screen) => activityOf(screen, second)?.kind === 'idle',
    interruptOf(second, fresh('stop')),
  );
  await browser.until(({ models }) => models.get(second) === 'large', {
    type: 'agent_set_model',
    session_id: second,
    request_id: fresh('model'),
    model_id: 'large',
  });
  await browser.until(({ sessions }) => !sessions.has(first), closeOf(first, fresh('close')));
  proxy.send(statusOf(second, { activity: { kind: 'idle', label: 'the end' } }));
  for (const each of [browser, companion]) {
    await each.until((screen) => activityOf(screen, second)?.label === 'the end');
    await each.close();
  }
  await proxy.cut();
  return { browser, companion, session_ids: [first, second], proxy };
}

/** The first session is closed: browsers that connect later never see it. */
const picture = ({ screen }: Browser, [, second = '']: readonly string[]) => pictureOf(screen, [second]);

describe('a full run', () => {
  test('[CHT-261] every frame is in the vocabulary, and none is refused', async () => {
    // Each peer parses the frames it receives; the relay parses those that it sends.
    const watcher = await harness.connect('person');
    const { browser, proxy } = await run();
    expect(browser.frames()).toBeGreaterThan(20);
    const refused = [watcher, proxy].flatMap((peer) => peer.all('connection_error'));
    expect([...refused, ...browser.errors()]).toEqual([]);
  });

  test('[CHT-133] a proxy gets frames of browsers and answers of the relay, and no proxy’s frame', async () => {
    const { proxy } = await run();
    const own = ['connection_ack', 'heartbeat_ack'];
    const others = proxy.frames.filter(({ type }) => !own.includes(type)).map(({ type }) => SENDERS[type]);
    expect(new Set(others)).toEqual(new Set(['browser']));
  });

  test('[CHT-133] a browser gets no browser’s frame', async () => {
    const watcher = await harness.connect('person');
    await run();
    const kinds = watcher.frames.map(({ type }) => SENDERS[type]);
    expect(new Set(kinds)).toEqual(new Set(['relay', 'proxy']));
    const forwarded = watcher.frames.filter(({ type }) => SENDERS[type] === 'proxy');
    expect(forwarded.every((frame) => 'sequence' in frame && frame.event_id !== undefined)).toBe(true);
  });

  test('[CHT-262] the deliveries end the same with and without echoes', async () => {
    const ends = [];
    for (const echoes of [false, true]) {
      const { browser, session_ids } = await run({ echoes });
      const [, second = ''] = session_ids;
      const transcript = [...(browser.screen.transcripts.get(second)?.values() ?? [])];
      const deliveries = ['c1', 'c2', 'c3'].map((id) => browser.screen.deliveries.get(`${second}/${id}`));
      ends.push({ transcript, deliveries });
    }
    expect(ends[0]?.deliveries).toEqual(['delivered', 'delivered', 'delivered']);
    expect(ends[1]).toEqual(ends[0]);
  });

  test('[CHT-263] a browser that is cut off at any frame ends like one that never was', {
    timeout: 120_000,
  }, async () => {
    const whole = await run();
    expect(picture(whole.browser, whole.session_ids)).toEqual(picture(whole.companion, whole.session_ids));
    const frames = whole.browser.frames();
    for (let cutAt = 1; cutAt <= frames; cutAt += 1) {
      const { browser, companion, session_ids } = await run({ cutAt });
      expect(picture(browser, session_ids), `cut at frame ${cutAt}`).toEqual(picture(companion, session_ids));
    }
  });
});

describe('single behaviours', () => {
  /** A proxy with two sessions, and browsers that watch them. */
  async function open(tabs = 1) {
    const ids = [fresh('session'), fresh('session')] as const;
    const sessions = [
      [ids[0], 'One'],
      [ids[1], 'Two'],
    ] as const;
    const proxy = await startProxy(harness, { sessions });
    const isOwn = (session_id: string) => proxy.session_ids().includes(session_id);
    const browsers: Browser[] = [];
    for (let tab = 0; tab < tabs; tab += 1) {
      const browser = await openBrowser(harness, { isOwn });
      await browser.until((screen) => ids.every((id) => screen.sessions.has(id)));
      browsers.push(browser);
    }
    return { proxy, browsers, sessions, session_id: ids[0] };
  }

  const only = ([browser]: readonly Browser[]): Browser => {
    if (browser === undefined) throw new Error('There is no browser.');
    return browser;
  };

  test('[CHT-264] sessions and their names stay when every target changes', async () => {
    const { proxy, browsers, sessions } = await open();
    const { screen, until } = only(browsers);
    const shown = () => sessions.map(([id]) => [id, screen.sessions.get(id)?.display_name]);
    const targets = () => sessions.map(([id]) => screen.sessions.get(id)?.target_id);
    const before = targets();
    await proxy.peer.cut();
    await until(() => sessions.every(([id]) => screen.sessions.get(id)?.status === 'disconnected'));
    expect(shown()).toEqual(sessions);
    const { device } = proxy.peer;
    await startProxy(harness, { sessions, ...(device && { device }) });
    await until(() => sessions.every(([id]) => screen.sessions.get(id)?.status === 'healthy'));
    expect(shown()).toEqual(sessions);
    expect(targets().filter((target) => before.includes(target))).toEqual([]);
  });

  test('[CHT-265] a launch is followed from pending to success by events alone', async () => {
    const { proxy, browsers } = await open();
    const { screen, until } = only(browsers);
    const request_id = fresh('launch');
    const seen: boolean[] = [];
    await until(
      () => {
        seen.push(screen.launching.has(request_id));
        return [...screen.sessions.values()].some(({ display_name }) => display_name === request_id);
      },
      launchOf(request_id, { machine_label: proxy.machine_label, window_title: request_id }),
    );
    await until(() => !screen.launching.has(request_id));
    expect(seen).toContain(true);
  });

  test('[CHT-265] a launch is followed to its failure', async () => {
    const { proxy } = await open();
    const person = await harness.connect('person');
    const request_id = fresh('launch');
    person.send(launchOf(request_id, { agent_type: 'gemini', machine_label: proxy.machine_label }));
    await person.next('session_launching', { request_id });
    expect(await person.next('session_launch_failed')).toMatchObject({
      request_id,
      error_code: 'agent_not_open',
      reason: 'Gemini is not running',
    });
  });

  test('[CHT-266] a session that one tab closes is gone from every tab', async () => {
    const { browsers, session_id } = await open(3);
    await only(browsers).until(
      ({ sessions }) => !sessions.has(session_id),
      closeOf(session_id, fresh('close')),
    );
    for (const { until } of browsers) await until(({ sessions }) => !sessions.has(session_id));
  });

  test('[CHT-267] a dialog is shown and answered in a browser, and the agent continues', async () => {
    const { browsers, session_id } = await open(2);
    const { until } = only(browsers);
    await until(
      ({ prompts }) => prompts.has(`${session_id}/may c1`),
      sendOf(session_id, 'c1', { content: 'ask' }),
    );
    harness.clock.advance(20_000);
    await until(
      (screen) => says(screen, session_id, 'You chose: no'),
      answerOf(session_id, 'may c1', { choice_id: 'no', request_id: fresh('answer') }),
    );
    for (const browser of browsers)
      await browser.until(({ prompts }) => !prompts.has(`${session_id}/may c1`));
  });

  test('[CHT-268] a browser stops a generation', async () => {
    const { browsers, session_id } = await open();
    const { until } = only(browsers);
    await until(
      (screen) => activityOf(screen, session_id)?.kind === 'generating',
      sendOf(session_id, 'c1', { content: 'work' }),
    );
    await until(
      (screen) => activityOf(screen, session_id)?.kind === 'idle',
      interruptOf(session_id, fresh('stop')),
    );
  });

  test('[CHT-269] a configuration is read, and a model changed and confirmed', async () => {
    const { session_id, browsers } = await open();
    const { until } = only(browsers);
    await until(({ models }) => models.get(session_id) === 'small');
    const person = await harness.connect('person');
    const [ack] = person.all('connection_ack');
    expect(ack?.session_configs?.[session_id]).toMatchObject({
      model_id: 'small',
      permission_mode: 'ask',
      file_access_scope: 'workspace',
    });
    const request_id = fresh('model');
    person.send({ type: 'agent_set_model', session_id, request_id, model_id: 'large' });
    await person.next('agent_control_result', { request_id, result: 'ok' });
    await until(({ models }) => models.get(session_id) === 'large');
  });
});
