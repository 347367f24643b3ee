import type { OutputOf } from '@drawbridge/protocol/primitives';
import type { InPageContext } from './in-page-context.ts';

const MOST_NAMES = 200;
const MAX_VALUE_CHARS = 20_000;

type Stored = Pick<OutputOf<'inspect.storage'>, 'cookies' | 'local' | 'session'>;

/** Names of everything that page script reads, and the values of these keys. */
export function storedValues({ keys }: { readonly keys: readonly string[] }, context: InPageContext): Stored {
  const { window, document } = context;
  const withValue = (name: string, value: string) =>
    keys.includes(name) ? { value: value.slice(0, MAX_VALUE_CHARS) } : {};
  const cookies = document.cookie.split('; ').flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return name === '' ? [] : { name, http_only: false, ...withValue(name, rest.join('=')) };
  });
  const inStorage = (kind: 'localStorage' | 'sessionStorage') => {
    try {
      const storage = window[kind];
      return Object.keys(storage)
        .slice(0, MOST_NAMES)
        .map((name) => {
          const value = storage.getItem(name) ?? '';
          return { name, length: value.length, ...withValue(name, value) };
        });
    } catch {
      // An opaque origin has no storage.
      return [];
    }
  };
  return {
    cookies: cookies.slice(0, MOST_NAMES),
    local: inStorage('localStorage'),
    session: inStorage('sessionStorage'),
  };
}
