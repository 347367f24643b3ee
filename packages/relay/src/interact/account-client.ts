import type { Ledger, Write } from '@drawbridge/ledger';
import { type Action, formatAction, type InteractRequest, parseAction } from '@drawbridge/protocol';

/**
 * INT-326: clients that signed in with `POST /api/v1/auth/login` are builds of the public extension. They take
 * an action from the first answer even when they are asked for more of the page, and have other arguments for `scroll`.
 */

const keyOf = (device_id: string): string => `account_client ${device_id}`;

export const accountClientWrite = (device_id: string): Write => ({
  do: 'put_setting',
  key: keyOf(device_id),
  value: true,
});

export async function isAccountClient(
  ledger: Pick<Ledger, 'setting'>,
  device_id: string,
  { features }: InteractRequest,
): Promise<boolean> {
  return features === undefined && (await ledger.setting(keyOf(device_id))) === true;
}

/** More pages than a document has. */
const WHOLE = 1_000;
const PAGE_SCROLLS: ReadonlyMap<string | undefined, readonly (boolean | number)[]> = new Map([
  [undefined, [true]],
  ['down', [true]],
  ['up', [false]],
  ['bottom', [true, WHOLE]],
  ['top', [false, WHOLE]],
]);

function scrollInAccountWords({ args: [target] }: Action): Action {
  const word = typeof target === 'string' ? target : undefined;
  const args = PAGE_SCROLLS.get(word);
  return args === undefined
    ? { name: 'scroll_container', args: [word ?? '', 'down'] }
    : { name: 'scroll', args };
}

/** The action as such a client parses it. */
export const actionForAccount = (action: string): string =>
  action.startsWith('scroll(') ? formatAction(scrollInAccountWords(parseAction(action))) : action;
