import { isIP } from 'node:net';
import { DeviceError } from '../device-error.ts';

/**
 * The name under which a browser reaches us, which WebAuthn binds to: https://www.w3.org/TR/webauthn-3/#rp-id
 */
export interface Site {
  readonly rp_id: string;
  readonly origin: string;
  /** Includes the port, so people can distinguish two relays at one name. */
  readonly host: string;
}

/** Expects a request that has passed the guard, so its host is one of ours. */
export function siteOf(url: string, trustedProxy: boolean): Site {
  // Behind a proxy, `url` has the scheme of the last hop.
  const { hostname, origin, host } = new URL(trustedProxy ? url.replace(/^http:/, 'https:') : url);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) {
    throw new DeviceError(
      'passkey_needs_name',
      'A passkey belongs to a name, not to an address: where the relay runs, open it as localhost.',
    );
  }
  return { rp_id: hostname, origin, host };
}
