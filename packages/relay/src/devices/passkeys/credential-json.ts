import { isObject } from '@drawbridge/protocol/manifest';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { DeviceError } from '../device-error.ts';
import { type Body, textOf } from '../request-body.ts';

const TRANSPORT = /^[a-z-]{1,20}$/;
const MOST_TRANSPORTS = 8;

/** Result of `navigator.credentials.create`, in the form of its `toJSON`. */
export function parseAttestation(value: unknown): RegistrationResponseJSON {
  const { response, ...credential } = parseCredential(value);
  const { transports } = response;
  const known: unknown[] = Array.isArray(transports) ? transports.slice(0, MOST_TRANSPORTS) : [];
  return {
    ...credential,
    response: {
      clientDataJSON: textOf(response, 'clientDataJSON'),
      attestationObject: textOf(response, 'attestationObject'),
      transports: known.filter((each) => typeof each === 'string').filter((each) => TRANSPORT.test(each)),
    },
  };
}

/** Result of `navigator.credentials.get`. */
export function parseAssertion(value: unknown): AuthenticationResponseJSON {
  const { response, ...credential } = parseCredential(value);
  return {
    ...credential,
    response: {
      clientDataJSON: textOf(response, 'clientDataJSON'),
      authenticatorData: textOf(response, 'authenticatorData'),
      signature: textOf(response, 'signature'),
    },
  };
}

function parseCredential(value: unknown) {
  const credential = parseObject(value, 'credential');
  return {
    id: textOf(credential, 'id'),
    rawId: textOf(credential, 'rawId'),
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: parseObject(credential['response'], 'credential.response'),
  };
}

function parseObject(value: unknown, name: string): Body {
  if (isObject(value)) return value;
  throw new DeviceError(
    'invalid_request',
    `"${name}" is missing: send what the credential's toJSON() gives.`,
  );
}
