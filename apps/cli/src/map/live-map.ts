import { validate } from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { type Terminal, UsageError } from '../command.ts';
import { type MapFile, wireProblem } from './map-file.ts';
import { printValidation } from './validate.ts';

/** Parses a map before a browser starts; prints its errors if invalid. */
export function requireMap(file: MapFile, isJson: boolean, terminal: Terminal): Manifest | undefined {
  if (!file.ok) {
    if (isJson) terminal.print(JSON.stringify({ ok: false, code: 'unreadable_file', message: file.message }));
    else terminal.printError(file.message);
    return undefined;
  }
  const result = validate(file.text);
  if (result.ok) return result.map;
  if (isJson)
    terminal.print(
      JSON.stringify({ ok: false, code: 'invalid_map', errors: result.errors.map(wireProblem) }),
    );
  else printValidation(file.file, file.text, result, { ...terminal, print: terminal.printError });
  return undefined;
}

/** `--url`, also as a path of the map's site, or the map's origin. */
export function addressFor({ surface }: Manifest, url: string | undefined): string {
  const origin = surface?.origin;
  if (url === undefined && origin === undefined)
    throw new UsageError('The map names no origin. Give the address with --url URL.');
  const address = URL.parse(url ?? '/', origin);
  if (address === null) throw new UsageError(`"${url}" is no address.`);
  return address.href;
}

/** A map works at its own origin only: its tools must not touch another site. */
export function requireOrigin({ surface }: Manifest, url: string): void {
  const origin = surface?.origin;
  if (origin === undefined || new URL(origin).origin === new URL(url).origin) return;
  throw new UsageError(
    `The map is for ${new URL(origin).origin}, and ${url} is elsewhere. Change its surface.origin, or the address.`,
  );
}
