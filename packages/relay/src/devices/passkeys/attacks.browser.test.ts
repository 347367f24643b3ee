import { createServer } from 'node:http';
import { createFakeClock, listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { newSigner } from '../../../test/devices/paired-browser.ts';
import {
  type PasskeyRelay,
  startPasskeyRelay,
  type TestBrowser,
} from '../../../test/devices/passkeys/passkey-relay.ts';
import { CHALLENGE_MS } from './challenges.ts';

const { key } = newSigner();
const REFUSED = { status: 403, body: { error: { code: 'passkey_refused' } } };
const SIGN_IN = 'POST /api/passkeys/signin';

/** Each attack is refused, and the same request without the attack is accepted. */
async function setUp() {
  const relay = await startPasskeyRelay();
  const owner = await relay.withPasskey();
  const thief = await relay.browse();
  return { relay, owner, thief };
}

const owners = async (relay: PasskeyRelay) =>
  (await relay.devices.list()).filter(({ roles }) => roles.includes('owner')).length;

const sign = async (browser: TestBrowser) => (await browser.ask(SIGN_IN, await browser.signature())).status;

test('an assertion counts once, for the challenge that it was made for', async () => {
  const { relay, owner, thief } = await setUp();
  const body = await owner.signature();
  expect((await owner.ask(SIGN_IN, body)).status).toBe(200);
  const before = await owners(relay);
  expect(await thief.ask(SIGN_IN, body)).toMatchObject(REFUSED);
  const { attempt } = (await thief.ask('POST /api/passkeys/signin/options', {})).body;
  expect(await thief.ask(SIGN_IN, { ...body, attempt })).toMatchObject(REFUSED);
  expect(await owners(relay)).toBe(before);
  expect((await thief.ask('GET /api/me')).status).toBe(401);
});

test('a failure uses up a challenge, and a challenge belongs to one browser', async () => {
  const { owner, thief } = await setUp();
  const seen = await owner.signature();
  const { attempt } = (await thief.ask('POST /api/passkeys/signin/options', {})).body;
  expect(await thief.ask(SIGN_IN, { ...seen, attempt })).toMatchObject(REFUSED);
  expect((await owner.ask(SIGN_IN, seen)).status).toBe(200);

  const own = await owner.signature();
  const credential = { ...own.credential, response: { ...own.credential.response, signature: 'AAAA' } };
  expect(await owner.ask(SIGN_IN, { ...own, credential })).toMatchObject(REFUSED);
  expect(await owner.ask(SIGN_IN, own)).toMatchObject(REFUSED);
});

test("an owner cannot add a credential made for another owner's challenge, or for a sign-in", async () => {
  const { relay, owner } = await setUp();
  const other = await relay.paired('owner');
  const { attempt, options } = (await relay.confirmed(owner, 'POST /api/passkeys/options', {})).body;
  const credential = await other.create({ ...options, excludeCredentials: [] });
  expect(await other.ask('POST /api/passkeys', { attempt, credential })).toMatchObject(REFUSED);

  const asked = (await other.ask('POST /api/passkeys/signin/options', {})).body;
  const made = await other.create({ ...options, challenge: asked.options.challenge, excludeCredentials: [] });
  const body = { attempt: asked.attempt, credential: made };
  expect(await other.ask('POST /api/passkeys', body)).toMatchObject(REFUSED);
  expect((await owner.ask('GET /api/passkeys')).body.passkeys).toHaveLength(1);
});

test('a challenge expires within five minutes', async () => {
  const clock = createFakeClock(Date.now());
  const relay = await startPasskeyRelay({ clock });
  const owner = await relay.withPasskey();
  const inTime = await owner.signature();
  clock.advance(CHALLENGE_MS - 1);
  expect((await owner.ask(SIGN_IN, inTime)).status).toBe(200);
  const late = await owner.signature();
  clock.advance(CHALLENGE_MS);
  expect(await owner.ask(SIGN_IN, late)).toMatchObject(REFUSED);
});

test('another program at localhost cannot have its page sign for us', async () => {
  const { relay, owner } = await setUp();
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title>');
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const elsewhere = await relay.browse(`http://localhost:${port}/`);
  await owner.copyTo(elsewhere);
  /** A program has no Origin header and may send any body. */
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(relay.home + path, { method: 'POST', headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
    const answer: any = await response.json();
    return { status: response.status, body: answer };
  };
  const { attempt, options } = (await post('/api/passkeys/signin/options', {})).body;
  const credential = await elsewhere.get(options);
  expect(await post('/api/passkeys/signin', { attempt, credential, key })).toMatchObject(REFUSED);

  const asked = (await post('/api/passkeys/signin/options', {})).body;
  const body = { attempt: asked.attempt, key, credential: await owner.get(asked.options) };
  expect((await post('/api/passkeys/signin', body)).status).toBe(200);
});

test('a passkey works under no other name of the relay', async () => {
  const relay = await startPasskeyRelay({ hosts: ['relay.localhost'] });
  const owner = await relay.withPasskey();
  const other = await relay.browse(`http://relay.localhost:${relay.port}/`);
  await owner.copyTo(other, 'relay.localhost');
  expect(await other.ask(SIGN_IN, await other.signature())).toMatchObject(REFUSED);
  expect(await sign(owner)).toBe(200);
});

test('refuses a copy whose counter is behind', async () => {
  const { owner, thief } = await setUp();
  await owner.copyTo(thief);
  expect(await sign(owner)).toBe(200);
  expect(await thief.ask(SIGN_IN, await thief.signature())).toMatchObject(REFUSED);
  expect(await sign(owner)).toBe(200);
});

test('only one of two copies that sign in at once succeeds', async () => {
  const { owner, thief } = await setUp();
  await owner.copyTo(thief);
  const [own, stolen] = [await owner.signature(), await thief.signature()];
  const answers = await Promise.all([owner.ask(SIGN_IN, own), thief.ask(SIGN_IN, stolen)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
});

test('requires user verification by the authenticator', async () => {
  const relay = await startPasskeyRelay();
  const owner = await relay.withPasskey();
  const finder = await relay.paired('owner');
  await finder.useCarelessAuthenticator();
  await owner.copyTo(finder);
  const asked = (await finder.ask('POST /api/passkeys/signin/options', {})).body;
  const [{ id }] = (await owner.ask('GET /api/passkeys')).body.passkeys;
  const credential = await finder.get({
    ...asked.options,
    allowCredentials: [{ type: 'public-key', id }],
    userVerification: 'discouraged',
  });
  const guess = { attempt: asked.attempt, credential, key };
  expect(await finder.ask(SIGN_IN, guess)).toMatchObject(REFUSED);

  const { attempt, options } = (await relay.confirmed(finder, 'POST /api/passkeys/options', {})).body;
  const made = await finder.create({
    ...options,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  });
  expect(await finder.ask('POST /api/passkeys', { attempt, credential: made })).toMatchObject(REFUSED);
});
