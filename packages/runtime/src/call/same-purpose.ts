import { BridgeError } from '@drawbridge/protocol';
import type { WeighedCall } from '../grants/primitive-effect.ts';

/** A yes is for what was shown: if another thing stands there by now, it was not for that. */
export function requireSame(name: string, asked: Pick<WeighedCall, 'purpose'>, now: WeighedCall): void {
  const [before, after] = [asked.purpose, now.purpose];
  const isSame =
    before?.label === after?.label &&
    before?.origin === after?.origin &&
    before?.form?.what === after?.form?.what;
  if (isSame) return;
  throw new BridgeError(
    'state_mismatch',
    `The page changed what ${name} would have touched while a person was asked. Look at the page, then ask again.`,
    { evidence: { asked: before?.label ?? '', now: after?.label ?? '' } },
  );
}
