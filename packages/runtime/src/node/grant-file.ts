import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EFFECTS } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { Coverage, Grant } from '../grants/grant-book.ts';
import { createGrantBook, type GrantBook, type GrantBookOptions } from '../grants/grant-book.ts';

/**
 * Grants that outlive the process: those given with "always". Loans are not stored, as a tab is lent again
 * each time. Written at once and atomically, so that a revoked grant does not come back.
 */
export function openGrantFile(file: string, options: Omit<GrantBookOptions, 'grants'>): GrantBook {
  const book = createGrantBook({ ...options, grants: readGrants(file) });
  book.onChange((grants) => {
    const kept = grants.filter(({ runtime_key }) => runtime_key === undefined);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  });
  return book;
}

/** An unreadable file permits nothing. */
function readGrants(file: string): Grant[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(stored) ? stored.flatMap(parseGrant) : [];
  } catch {
    return [];
  }
}

function parseGrant(value: unknown): Grant[] {
  if (!isObject(value)) return [];
  const { grant_id, origin, by, covers, device, expires_at } = value;
  const coverage = parseCoverage(covers);
  if (typeof grant_id !== 'string' || typeof origin !== 'string' || typeof by !== 'string') return [];
  if (coverage === undefined || origin === '*') return [];
  if (expires_at !== undefined && typeof expires_at !== 'number') return [];
  return [
    {
      grant_id,
      origin,
      by,
      covers: coverage,
      ...(typeof device === 'string' && { device }),
      ...(expires_at !== undefined && { expires_at }),
    },
  ];
}

function parseCoverage(value: unknown): Coverage | undefined {
  if (!isObject(value)) return undefined;
  const effect = EFFECTS.find((one) => one === value['effect']);
  if (effect === undefined) return undefined;
  return typeof value['name'] === 'string' ? { name: value['name'], effect } : { effect };
}
