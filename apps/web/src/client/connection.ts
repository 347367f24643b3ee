import { connectChat, indexedDbOutbox } from '@drawbridge/link/chat';
import { createPainting } from '../state/painting.ts';
import type { PreferenceStore } from '../state/preferences.ts';
import { createStore, type Store } from '../state/store.ts';
import { proofFor, provenFetch } from './browser-key.ts';
import { type Client, createClient } from './client.ts';
import { keepMemory } from './memory.ts';
import { newId } from './new-id.ts';

export interface Connection {
  readonly store: Store;
  readonly client: Client;
}

/** Kept across reloads of a tab, so that its launches return to it (CHT-187, CHT-191). */
function tabId(): string {
  const known = sessionStorage.getItem('drawbridge-tab');
  if (known !== null) return known;
  const fresh = newId();
  sessionStorage.setItem('drawbridge-tab', fresh);
  return fresh;
}

export function openConnection(device_id: string, preferences: PreferenceStore): Connection {
  const store = createStore(createPainting());
  const link = connectChat({
    url: `${location.origin.replace(/^http/, 'ws')}/ws/chat`,
    peer_role: 'browser',
    client_name: 'web',
    client_id: tabId(),
    features: [
      'queue',
      'questions',
      'prompt_answered',
      'appends',
      'deltas',
      'chat_list',
      'rate_limits',
      'scheduled_sends',
      'checking',
    ],
    // Per device: a device paired here later must not send this one's messages.
    outbox: indexedDbOutbox(`drawbridge-outbox-${device_id}`),
    // Without a key the relay refuses it.
    proof: async () => (await proofFor('GET', '/ws/chat')) ?? '',
    checkCredential: async () => (await provenFetch('/api/me')).status,
  });
  const stopMemory = keepMemory(device_id, store);
  const client = createClient({ link, store, preferences, newId });
  const close = (): void => {
    stopMemory();
    client.close();
  };
  return { store, client: { ...client, close } };
}
