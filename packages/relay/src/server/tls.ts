import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { TlsOptions } from './options.ts';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** SHA-256, as in a pairing link: hex in pairs, with colons. */
  readonly fingerprint: string;
}

/** Longest validity that Apple's systems accept: https://support.apple.com/en-us/103769 */
const VALID_DAYS = 820;
const RENEW_DAYS = 30;
const DAY_MS = 86_400_000;

export async function certificateOf(
  tls: TlsOptions,
  { data, names, now }: { readonly data: string; readonly names: readonly string[]; readonly now: number },
): Promise<Certificate> {
  if (tls !== 'self-signed') return read(tls.cert, tls.key);
  const folder = join(data, 'tls');
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const kept = await storedIn(paths);
  if (kept !== undefined && Date.parse(new X509Certificate(kept.cert).validTo) - now > RENEW_DAYS * DAY_MS) {
    return kept;
  }
  const made = await make(names, now);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(paths.key, made.key, { mode: 0o600 });
  await writeFile(paths.cert, made.cert, { mode: 0o600 });
  return made;
}

async function storedIn(paths: { cert: string; key: string }): Promise<Certificate | undefined> {
  try {
    return read(await readFile(paths.cert, 'utf8'), await readFile(paths.key, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`The certificate ${paths.cert} cannot be read. Remove it to have a new one made.`, {
      cause: error,
    });
  }
}

const read = (cert: string, key: string): Certificate => ({
  cert,
  key,
  fingerprint: new X509Certificate(cert).fingerprint256,
});

async function make(names: readonly string[], now: number): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'Drawbridge relay' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [...new Set(names)].map((name) =>
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
        ),
      },
    ],
  });
  return read(made.cert, made.private);
}
