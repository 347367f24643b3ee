/** An rpID is a name: https://www.w3.org/TR/webauthn-3/#rp-id */
const hasName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

export const canUsePasskeys = (): boolean =>
  isSecureContext && hasName() && 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {});

interface Offer<Options> {
  readonly attempt: string;
  readonly options: Options;
}

async function send<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer?.error?.message ?? '');
  return answer;
}

export async function signInWithPasskey(label: string): Promise<void> {
  const path = '/api/passkeys/signin';
  const offer = await send<Offer<PublicKeyCredentialRequestOptionsJSON>>(`${path}/options`, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offer.options);
  const credential = await navigator.credentials.get({ publicKey });
  await send(path, { attempt: offer.attempt, credential, label });
}

export async function addPasskey(label: string): Promise<void> {
  const path = '/api/passkeys';
  const offer = await send<Offer<PublicKeyCredentialCreationOptionsJSON>>(`${path}/options`, {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(offer.options);
  const credential = await navigator.credentials.create({ publicKey });
  await send(path, { attempt: offer.attempt, credential, label });
}
