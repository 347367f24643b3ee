import { isIP } from 'node:net';
import { DeviceError } from '../device-error.ts';

/** Under which name a browser has us, as WebAuthn binds to it: https://www.w3.org/TR/webauthn-3/#rp-id */
export interface Site {
  readonly rp_id: string;
  readonly origin: string;
  /** With its port: of two relays at one name, people tell which is which. */
  readonly host: string;
}

/** Of a request that has passed the guard, so that its host is one of ours. */
export function siteOf(url: string, secure: boolean): Site {
  // The scheme in `url` is that of the proxy's last mile.
  const { hostname, origin, host } = new URL(`${secure ? 'https' : 'http'}://${new URL(url).host}`);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) {
    throw new DeviceError(
      'passkey_needs_name',
      'A passkey belongs to a name, not to an address: where the relay runs, open it as localhost.',
    );
  }
  return { rp_id: hostname, origin, host };
}
