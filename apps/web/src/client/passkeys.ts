import { keepPaired } from './api.ts';
import { newBrowserKey } from './browser-key.ts';
import { call } from './request.ts';

/** An rpID must be a domain name: https://www.w3.org/TR/webauthn-3/#rp-id */
const hasName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

export const canUsePasskeys = (): boolean =>
  isSecureContext && hasName() && 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {});

export async function signInWithPasskey(label: string): Promise<void> {
  const assertion = await assertionFor(call('POST /api/passkeys/signin/options'));
  const { publicKey: key, keep } = await newBrowserKey();
  await keepPaired(keep, call('POST /api/passkeys/signin', { body: { ...assertion, label, key } }));
}

/** Valid for this confirmation only. */
export async function confirmWithPasskey(id: string): Promise<void> {
  const body = await assertionFor(call('POST /api/confirmations/{id}/passkey/options', { id }));
  await call('POST /api/confirmations/{id}/passkey', { id, body });
}

async function assertionFor(offered: Promise<{ readonly attempt: string; readonly options: object }>) {
  const { attempt, options } = await offered;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(trustOptions(options));
  return { attempt, credential: Object(await navigator.credentials.get({ publicKey })) };
}

export async function addPasskey(label: string): Promise<void> {
  const { attempt, options } = await call('POST /api/passkeys/options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(trustOptions(options));
  const credential = Object(await navigator.credentials.create({ publicKey }));
  await call('POST /api/passkeys', { body: { attempt, credential, label } });
}

/** Not validated: the browser reads them. */
const trustOptions = <Options>(options: object): Options => options as Options;
