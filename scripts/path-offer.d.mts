import type { Readable, Writable } from 'node:stream';

export function offerPath(parts?: {
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout?: Writable & { readonly isTTY?: boolean };
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly declined?: string;
  readonly install?: () => Promise<unknown>;
}): Promise<void>;
