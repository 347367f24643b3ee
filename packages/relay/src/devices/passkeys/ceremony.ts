import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { CHALLENGE_MS } from './challenges.ts';
import type { KeptPasskey } from './passkey.ts';
import type { Site } from './site.ts';

/** What the authenticator was asked, and where. */
export interface Asked {
  readonly site: Site;
  readonly challenge: string;
}

type MadeKey = Pick<KeptPasskey, 'id' | 'public_key' | 'counter' | 'transports'>;

/** Loaded when somebody first needs it: it takes longer than all else that the relay starts with. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256, RS256. The library's own choice begins with one that is an experiment in Node 24. */
const ALGORITHMS = [-8, -7, -257];

const bytesOf = (base64url: string) => Uint8Array.from(Buffer.from(base64url, 'base64url'));

/** `user_id`: an authenticator keeps one passkey of each user at a name, and replaces it. */
export async function creationOptions(
  { site, challenge }: Asked,
  user_id: Uint8Array,
  known: readonly KeptPasskey[],
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

/** Without a list of passkeys: a stranger learns of none. */
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

/** Undefined when it is not what was asked for. */
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

/** The counter as it is now; undefined when it is not what was asked for, or was signed by a copy. */
export async function verifiedCounter(
  { site, challenge }: Asked,
  response: AuthenticationResponseJSON,
  { id, public_key, counter }: KeptPasskey,
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

/** The library throws at whatever it does not like; its words quote what came. */
const NOT_VERIFIED = { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const;
