import { keepPaired } from './api.ts';
import { newBrowserKey } from './browser-key.ts';
import { parseAnswer, post } from './request.ts';

/** An rpID must be a domain name: https://www.w3.org/TR/webauthn-3/#rp-id */
const hasName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

export const canUsePasskeys = (): boolean =>
  isSecureContext && hasName() && 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {});

interface Offer<Options> {
  readonly attempt: string;
  readonly options: Options;
}

export async function signInWithPasskey(label: string): Promise<void> {
  const path = '/api/passkeys/signin';
  const assertion = await assertionFor(path);
  const { publicKey: key, keep } = await newBrowserKey();
  await keepPaired(keep, post(path, { ...assertion, label, key }));
}

/** Valid for this confirmation only. */
export async function confirmWithPasskey(id: string): Promise<void> {
  const path = `/api/confirmations/${encodeURIComponent(id)}/passkey`;
  await post(path, await assertionFor(path));
}

async function assertionFor(path: string) {
  const offer = await parseAnswer<Offer<PublicKeyCredentialRequestOptionsJSON>>(post(`${path}/options`));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offer.options);
  const credential = await navigator.credentials.get({ publicKey });
  return { attempt: offer.attempt, credential };
}

export async function addPasskey(label: string): Promise<void> {
  const path = '/api/passkeys';
  const offer = await parseAnswer<Offer<PublicKeyCredentialCreationOptionsJSON>>(post(`${path}/options`));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(offer.options);
  const credential = await navigator.credentials.create({ publicKey });
  await post(path, { attempt: offer.attempt, credential, label });
}
