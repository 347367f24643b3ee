import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckEvidence } from '../surface/check-evidence.ts';

/** The oldest file is removed for a new one. */
const FILES_KEPT = 200;

/** Writes the evidence of failed checks to a folder, one file each, atomically, readable by the owner only. */
export function openEvidenceFolder(folder: string): (evidence: CheckEvidence) => Promise<void> {
  return async (evidence) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const time = evidence.observed_at.replaceAll(/[:.]/g, '-');
    const name = `${time}-${evidence.check_id.replaceAll(/[^\w-]/g, '_')}.json`;
    const file = join(folder, name);
    await writeFile(`${file}.new`, JSON.stringify(evidence, null, 2), { mode: 0o600 });
    await rename(`${file}.new`, file);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
    await Promise.all(files.slice(0, -FILES_KEPT).map((file) => rm(join(folder, file), { force: true })));
  };
}
