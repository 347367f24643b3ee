import type { StoredValues } from '../interact/index.ts';

/** `chrome.storage.session`: outlives the worker and ends with the browser. */
export function sessionValues(): StoredValues {
  const area = chrome.storage.session;
  return {
    get: async (key) => (await area.get(key))[key],
    set: (key, value) => area.set({ [key]: value }),
    remove: (key) => area.remove(key),
  };
}
