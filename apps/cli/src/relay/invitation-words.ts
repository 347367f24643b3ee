import { renderUnicodeCompact } from 'uqr';
import type { Terminal } from '../command.ts';
import { widthOf, wrap } from '../map/paint.ts';
import { HOW_TO_REACH } from './reach.ts';

export interface InvitationFacts {
  readonly pair_url: string;
  readonly expires_at: number;
  /** Reachable from other machines. */
  readonly reachable: boolean;
  readonly fingerprint?: string | undefined;
}

/** For an extension's options. Opened in a browser, the link would pair that browser instead. */
export function extensionLines(
  { pair_url, expires_at }: Pick<InvitationFacts, 'pair_url' | 'expires_at'>,
  outside_url: string | undefined,
): readonly string[] {
  const elsewhere = outside_url === undefined ? [] : [`${outside_url}/${new URL(pair_url).hash}`];
  return [
    `Paste this link into the extension's options (works once, until ${timeOf(expires_at)}):`,
    `  ${pair_url}`,
    ...elsewhere.flatMap((link) => ['On another machine, paste this one:', `  ${link}`]),
  ];
}

const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 5);

/** Prints a QR code only for an address that a phone can open. */
export function invitationLines(
  { pair_url, expires_at, reachable, fingerprint }: InvitationFacts,
  terminal: Terminal,
  saysHowToReach = true,
): readonly string[] {
  const width = widthOf(terminal);
  const picture = reachable ? renderUnicodeCompact(pair_url).split('\n') : [];
  const fits = picture.every((line) => line.length <= (terminal.columns ?? width));
  const where = reachable ? 'on your phone' : 'in a browser';
  return [
    `Open this link ${where} to pair it (works once, until ${timeOf(expires_at)}):`,
    `  ${pair_url}`,
    ...(fits && picture.length > 0 ? ['', ...picture] : []),
    ...(fingerprint === undefined ? [] : certificateLines(fingerprint, width)),
    ...(reachable || !saysHowToReach ? [] : ['', ...HOW_TO_REACH.split('\n')]),
  ];
}

const certificateLines = (fingerprint: string, width: number): readonly string[] => [
  ...wrap('If the browser warns about the certificate, accept it only if its SHA-256 fingerprint is', width),
  ...(fingerprint.match(/.{1,48}/g) ?? []).map((part) => `  ${part}`),
];
