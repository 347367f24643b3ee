import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Followed } from './task-view.ts';

/** The relay's own event stream: one `event:` and one `data:` line each. */
export async function* followedEvents(stream: Readable): AsyncGenerator<Followed> {
  let name = '';
  for await (const line of createInterface({ input: stream })) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length);
    if (line.startsWith('data: ')) yield parseFollowed(name, line.slice('data: '.length));
  }
}

/** What our own relay says, of this version: its shape is not checked again. */
function parseFollowed(name: string, data: string): Followed {
  const value = JSON.parse(data);
  // One that is stored has its place in the session.
  if (name === 'thought' && value.sequence === undefined) return { kind: name, text: value.text };
  return name === 'end' || name === 'state' ? { kind: name, task: value } : { kind: 'event', event: value };
}
