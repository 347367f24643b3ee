import { type KeyObject, verify } from 'node:crypto';
import { isObject } from '@drawbridge/protocol/manifest';
import type { CoreClock } from '../core/ports.ts';

/** Request header; a WebSocket sends the same text as a subprotocol, after `PROOF_PREFIX`. */
export const PROOF_HEADER = 'drawbridge-proof';
/** Sent in reply to a stale proof, so a device with a wrong clock can sign again. */
export const TIME_HEADER = 'drawbridge-time';

/** `stale`: the signature is valid, the time is not. */
export type ProofVerdict = 'good' | 'stale' | 'bad' | 'full';

export interface Asked {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
}

/** Parsed but not verified. */
export interface Proof {
  /** The browser it claims to come from: no cookie is needed, so none can be shadowed. */
  readonly name: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly payload: string;
  readonly signature: string;
}

export type Proofs = ReturnType<typeof createProofs>;

/** Proofs accepted here or by another node of the same ledger. */
export interface UsedProofs {
  /** Keyed by device and id, in order of arrival. The value is the time after which the proof is stale. */
  readonly used: Map<string, number>;
  readonly announce: (name: string, until: number) => void;
}

const ownProofs = (): UsedProofs => ({ used: new Map(), announce: () => {} });

const WINDOW_MS = 60_000;
const MAX_CHARS = 8_192;
const ID = /^[\w-]{16,64}$/;
/** About 800 requests a second for the lifetime of a proof. */
const REMEMBERED = 100_000;

/**
 * Proof of possession modelled on DPoP (https://www.rfc-editor.org/rfc/rfc9449): each proof names its
 * browser, method, path, time and an id, and is valid once. A browser makes a new key for each pairing, so a
 * proof for another relay or another device does not verify.
 */
export function createProofs(clock: Pick<CoreClock, 'now'>, { used, announce }: UsedProofs = ownProofs()) {
  /** Used proofs are in memory: an earlier process may have accepted a proof signed before this time. */
  const startedAt = clock.now();

  const forgetOld = (now: number): void => {
    for (const [key, until] of used) {
      if (until > now) break;
      used.delete(key);
    }
  };

  return {
    check(
      { claims, payload, signature }: Proof,
      asked: Asked,
      device_id: string,
      key: KeyObject,
    ): ProofVerdict {
      if (!isSigned(payload, signature, key)) return 'bad';
      const { method, path, at, id } = claims;
      if (method !== asked.method || path !== asked.path) return 'bad';
      if (typeof at !== 'number' || typeof id !== 'string' || !ID.test(id)) return 'bad';
      const now = clock.now();
      forgetOld(now);
      const name = `${device_id} ${id}`;
      if (used.has(name)) return 'bad';
      if (at < startedAt || Math.abs(now - at) > WINDOW_MS) return 'stale';
      if (used.size >= REMEMBERED) return 'full';
      const until = now + 2 * WINDOW_MS;
      used.set(name, until);
      announce(name, until);
      return 'good';
    },
  };
}

/** Undefined for malformed text. */
export function parseProof(text: string): Proof | undefined {
  const [payload = '', signature = '', ...more] = text.length > MAX_CHARS ? [] : text.split('.');
  const claims = parsePayload(payload);
  const { name } = claims;
  if (more.length > 0 || signature === '' || typeof name !== 'string') return undefined;
  return { name, claims, payload, signature };
}

function isSigned(payload: string, signature: string, key: KeyObject): boolean {
  // WebCrypto concatenates r and s instead of using DER.
  return verify(
    'sha256',
    Buffer.from(payload),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

function parsePayload(payload: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
