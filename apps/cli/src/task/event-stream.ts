import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Followed } from './task-view.ts';

/** Server-sent events of the relay: one `event:` and one `data:` line each. */
export async function* followedEvents(stream: Readable): AsyncGenerator<Followed> {
  let name = '';
  for await (const line of createInterface({ input: stream })) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length);
    if (line.startsWith('data: ')) yield parseFollowed(name, line.slice('data: '.length));
  }
}

/** Not validated: our own relay of this version. */
function parseFollowed(name: string, data: string): Followed {
  const value = JSON.parse(data);
  // Stored thoughts have a sequence.
  if (name === 'thought' && value.sequence === undefined) return { kind: name, text: value.text };
  return name === 'end' || name === 'state' ? { kind: name, task: value } : { kind: 'event', event: value };
}
