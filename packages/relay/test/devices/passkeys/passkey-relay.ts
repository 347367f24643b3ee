import { askInPage, openPage, type PageAnswer } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import type { Role } from '../../../src/core/ports.ts';
import { startTestRelay, type TestRelay, type TestRelayOptions } from '../../server/test-relay.ts';
import { newSigner } from '../paired-browser.ts';

type Page = Awaited<ReturnType<typeof openPage>>['page'];

// biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
type Loose = any;

/** A real Chromium with its own virtual authenticator. */
export interface TestBrowser {
  readonly page: Page;
  /** Sends a request from the page, with its proof and its Origin. */
  readonly ask: (
    route: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<PageAnswer>;
  readonly create: (options: unknown) => Promise<Loose>;
  readonly get: (options: unknown) => Promise<Loose>;
  /** Asks for options and lets the authenticator sign: the body to send. */
  readonly signature: () => Promise<{ readonly attempt: string; readonly credential: Loose }>;
  /** Copies every passkey into another browser's authenticator, like a synced or stolen one. */
  readonly copyTo: (other: TestBrowser, rpId?: string) => Promise<void>;
  readonly put: (credential: Loose) => Promise<void>;
  /** Replaces the authenticator with one that skips user verification. */
  readonly useCarelessAuthenticator: () => Promise<void>;
}

export interface PasskeyRelay extends TestRelay {
  /** Opened by name, because passkeys need one. */
  readonly home: string;
  readonly browse: (url?: string) => Promise<TestBrowser>;
  /** A browser paired by a link. */
  readonly paired: (role: Role) => Promise<TestBrowser>;
  /** Sends a browser's request and confirms it at the relay's terminal. */
  readonly confirmed: (browser: TestBrowser, route: string, body?: unknown) => Promise<PageAnswer>;
  /** The owner's browser, with a passkey added on its page. */
  readonly withPasskey: () => Promise<TestBrowser>;
}

export async function startPasskeyRelay(options?: TestRelayOptions): Promise<PasskeyRelay> {
  const relay = await startTestRelay(options);
  const home = `http://localhost:${relay.port}`;
  const browse = (url = home) => openBrowser(url);
  const paired = async (role: Role) => {
    const order = { roles: [role], scopes: [], label: 'Laptop', by: 'machine' } as const;
    const { pair_path } = await relay.devices.invitations.create(order);
    const browser = await browse(home + pair_path);
    await browser.page.getByText('This device is paired').waitFor();
    return browser;
  };
  const withPasskey = async () => {
    const owner = await paired('owner');
    await owner.page.getByRole('button', { name: 'Add a passkey' }).click();
    await owner.page.getByText('was added').waitFor();
    return owner;
  };
  const confirmed: PasskeyRelay['confirmed'] = async (browser, route, body) => {
    const asked = await browser.ask(route, body);
    const { id } = asked.body.error.confirmation;
    const response = await fetch(`${relay.url}/api/confirmations/${id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${relay.devices.owner?.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ verdict: 'confirm' }),
    });
    if (!response.ok) throw new Error(await response.text());
    return browser.ask(route, body, { 'drawbridge-confirmation': id });
  };
  return { ...relay, home, browse, paired, withPasskey, confirmed };
}

async function openBrowser(url: string): Promise<TestBrowser> {
  const { page, context, close } = await openPage();
  onTestFinished(close);
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const addAuthenticator = async (verifies: boolean) => {
    const added = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: verifies,
        isUserVerified: verifies,
        automaticPresenceSimulation: true,
      },
    });
    return added.authenticatorId;
  };
  let authenticatorId = await addAuthenticator(true);
  await page.goto(url);

  const ask: TestBrowser['ask'] = (route, body, headers) => askInPage(page, route, body, headers);
  const get = (options: Loose): Promise<Loose> =>
    page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
      return JSON.parse(JSON.stringify(await navigator.credentials.get({ publicKey })));
    }, options);
  const create = (options: Loose): Promise<Loose> =>
    page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
      return JSON.parse(JSON.stringify(await navigator.credentials.create({ publicKey })));
    }, options);

  return {
    ...{ page, ask, get, create },
    async signature() {
      const { body } = await ask('POST /api/passkeys/signin/options', {});
      return { attempt: body.attempt, credential: await get(body.options), key: newSigner().key };
    },
    async copyTo(other, rpId) {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      for (const each of credentials) await other.put({ ...each, ...(rpId !== undefined && { rpId }) });
    },
    async put(credential) {
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    async useCarelessAuthenticator() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      authenticatorId = await addAuthenticator(false);
    },
  };
}
