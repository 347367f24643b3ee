import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostServer, subscribedBrowser } from '@drawbridge/relay/test/notifications/push-service';
import type { TestPeer } from '@drawbridge/relay/test/server/test-relay';
import { expect, onTestFinished, test } from 'vitest';
import { startBrowserHarness } from '../browser-harness.ts';
import { launch, message, send, startProxyHarness } from '../proxy-harness.ts';
import { startSite } from '../site.ts';
import { SECRETS, SHOWN } from './secrets-page.ts';

/** All secrets typed into their fields, and repeated beside a value that is none. */
const FIELDS = SECRETS.map(({ field }, index) => field.replace('secret', `secret-${index}`)).join('');
const PAGE = `<title>Checkout</title><form onsubmit="return false">${FIELDS}</form><main></main><script>
const values = ${JSON.stringify(SECRETS.map(({ value }) => value))};
values.forEach((value, index) => {
  const field = document.querySelector('#secret-' + index);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
});
for (const value of [...values, '${SHOWN.value}']) {
  document.querySelector('main').insertAdjacentHTML('beforeend', '<p title="' + value + '">You typed ' + value + ' here.</p>' +
    '<section aria-label="Pay with ' + value + '"><button type="button">Pay with ' + value + '</button></section><p role="alert">Saved ' + value + '</p>');
  console.log('typed', value);
  localStorage.setItem(value, value);
  document.cookie = 'jar' + values.indexOf(value) + '=' + value;
  fetch('/found?p=' + value);
}
document.title = 'Checkout ' + values.join(' ') + ' ${SHOWN.value}';
history.replaceState(null, '', '#p=' + values.join('-') + '&s=${SHOWN.value}');
</script>`;

/** Whole values: a coordinate, a port or a part of a hash may contain 407. */
const leaksIn = (text: string): string[] =>
  SECRETS.filter(({ value }) => new RegExp(`(?<![\\w.])${value}(?![\\w.])`).test(text)).map(
    ({ name }) => name,
  );

async function allowAll(person: TestPeer): Promise<void> {
  for (let answered = 0; ; answered++) {
    const { session_id, prompt_id } = await person.next('permission_prompt');
    const request_id = `allowed_${answered}`;
    person.send({ type: 'permission_response', request_id, session_id, prompt_id, choice_id: 'once' });
  }
}

/** Everything that the relay has stored, as bytes. */
async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
  return texts.join('\n');
}

test('no secret of a page is in any channel of a running relay, and what is none is in each', async () => {
  const site = await startSite({ '/': PAGE, '/found': 'Found' });
  onTestFinished(() => site[Symbol.asyncDispose]());
  const posts = await startPostServer();
  const { relay, person } = await startProxyHarness({ notices: { loopback: true, retryMs: [0, 0] } });
  void allowAll(person).catch(() => undefined);
  const browser = await startBrowserHarness({ bridge: relay.bridge, asker: relay.asker });
  onTestFinished(() => browser[Symbol.asyncDispose]());
  const owner = await relay.mint('owner');
  const asOwner = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
    return (
      await fetch(relay.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    ).text();
  };
  const phone = subscribedBrowser(posts);
  await asOwner('PUT', '/api/push/subscription', phone.subscription);
  await asOwner('POST', '/api/webhooks', { url: `${posts.url}/hook`, kinds: ['prompt'] });

  await browser.call('browser.navigate', { url: `${site.url}/` });
  const channels: Record<string, string> = {};
  const read = async (name: string, args: object = {}): Promise<string> =>
    JSON.stringify(
      await browser.call(name, args).catch((error: unknown) => [String(error), error]),
      (_, inner) => (typeof inner === 'number' ? 0 : inner),
    );
  channels['answers'] = (
    await Promise.all([
      ...[read('page.info'), read('page.read'), read('page.snapshot', { scope: 'page', context: true })],
      ...[read('page.snapshot', { mode: 'full' }), read('browser.claimed_tabs.list')],
    ])
  ).join('\n');

  // A text that is there is found at the first look, which takes longer on a busy machine.
  const waitsFor = async ({ value }: { readonly value: string }, timeout_ms: number) => {
    const answer = await read('page.wait', { for: 'text', text: `typed ${value.slice(0, -1)}`, timeout_ms });
    return answer.includes('handler_timeout') ? [] : [value];
  };
  const waits = [...SECRETS.map((secret) => waitsFor(secret, 500)), waitsFor(SHOWN, 30_000)];
  const matched = (await Promise.all(waits)).flat();

  // A browser thread: its agent's tools are the relay's, over MCP.
  const session_id = await launch(person, { browser: true });
  const use = async (tool: string, args: object): Promise<string> => {
    send(person, session_id, `tool ${tool} ${JSON.stringify(args)}`);
    return (await message(person, (content) => /^answer: .*\}$/s.test(content))).content;
  };
  channels['answers over MCP'] = await use('snapshot', {});
  const looks = [];
  for (const show of ['console', 'requests', 'storage']) looks.push(await use('inspect', { show }));
  channels['inspect'] = looks.join('\n');
  const steps = [];
  for (const [nth] of [...SECRETS, SHOWN].entries()) {
    const locator = { selector: `section:nth-of-type(${nth + 1}) button` };
    const { id } = Object(await browser.call('locator.element_info', { locator }));
    steps.push({ do: 'click', id });
  }
  channels['acts'] = `${await use('act', { steps })} ${await read('page.info')}`;
  const frames = (type: string) => JSON.stringify(person.frames.filter((frame) => frame.type === type));
  channels['prompts'] = frames('permission_prompt');
  channels['browser threads'] = frames('message_event');
  const { sessions } = JSON.parse(await asOwner('GET', '/api/sessions'));
  const exports = [];
  for (const each of sessions) exports.push(await asOwner('GET', `/api/sessions/${each.session_id}/export`));
  channels['session exports'] = exports.join('\n');
  const hooks = () => posts.posted.filter(({ path }) => path === '/hook').map(({ body }) => String(body));
  const pushes = () =>
    posts.posted.filter(({ path }) => path === phone.path).map((posted) => phone.read(posted));
  await expect.poll(() => hooks().join('\n')).toContain(SHOWN.value);
  await expect.poll(() => JSON.stringify(pushes())).toContain(SHOWN.value);
  channels['webhooks'] = hooks().join('\n');
  channels['pushes'] = JSON.stringify(pushes());
  channels['logs'] = relay.lines.join('\n');
  channels['stored files'] = await filesOf(relay.data);

  // No text of a page is logged, so a line about the agent is the control.
  const controlOf = (name: string) => (name === 'logs' ? '"event":"bridge_opened"' : SHOWN.value);
  const found = Object.entries(channels).map(([name, text]) => [
    name,
    leaksIn(text),
    text.includes(controlOf(name)),
  ]);
  expect({ matched, found }).toEqual({
    matched: [SHOWN.value],
    found: Object.keys(channels).map((name) => [name, [], true]),
  });
});
