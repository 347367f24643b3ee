import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { DataFolder } from './data-folder.ts';

/** The relay's self-signed certificate has no authority. */
export async function trustOwnCertificate({ path }: DataFolder): Promise<void> {
  const own = await readFile(join(path, 'tls', 'cert.pem'), 'utf8').catch(() => undefined);
  if (own !== undefined) setDefaultCACertificates([...getCACertificates('default'), own]);
}
