import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { CHALLENGE_MS } from './challenges.ts';
import type { StoredPasskey } from './passkey.ts';
import type { Site } from './site.ts';

/** The challenge of an authenticator, and its site. */
export interface Asked {
  readonly site: Site;
  readonly challenge: string;
}

type MadeKey = Pick<StoredPasskey, 'id' | 'public_key' | 'counter' | 'transports'>;

/** Loaded on first use: importing it takes longer than the rest of the relay's start. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256, RS256. The library's default starts with one that is experimental in Node 24. */
const ALGORITHMS = [-8, -7, -257];

const bytesOf = (base64url: string) => Uint8Array.from(Buffer.from(base64url, 'base64url'));

/** `user_id`: an authenticator keeps one passkey per user and name, and replaces it. */
export async function creationOptions(
  { site, challenge }: Asked,
  user_id: Uint8Array,
  known: readonly StoredPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Drawbridge',
    rpID: site.rp_id,
    userID: Uint8Array.from(user_id),
    userName: `Owner of ${site.host}`,
    userDisplayName: `Owner of ${site.host}`,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Sends no list of passkeys, so a stranger learns of none. */
export async function requestOptions({
  site,
  challenge,
}: Asked): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: site.rp_id,
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

/** Undefined when the response does not match the challenge. */
export async function verifiedKey(
  { site, challenge }: Asked,
  response: RegistrationResponseJSON,
): Promise<MadeKey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rp_id,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
  }).catch(() => NOT_VERIFIED);
  if (registrationInfo === undefined) return undefined;
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, public_key: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/** The new counter; undefined when the response does not match the challenge or comes from a copy. */
export async function verifiedCounter(
  { site, challenge }: Asked,
  response: AuthenticationResponseJSON,
  { id, public_key, counter }: StoredPasskey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rp_id,
    credential: { id, publicKey: bytesOf(public_key), counter },
    requireUserVerification: true,
  }).catch(() => NOT_VERIFIED);
  return verified ? authenticationInfo?.newCounter : undefined;
}

/** The library throws on any invalid response, and its messages quote the input. */
const NOT_VERIFIED = { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const;
