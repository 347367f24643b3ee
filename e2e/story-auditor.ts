import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLog } from '@drawbridge/relay/test/crash/client-log';
import type { OpenPage } from '@drawbridge/testbed';
import { temporaryFolder } from 'drawbridge/test/live/program-harness';

/** A raw frame: parsed without any code under test. */
interface Frame {
  readonly type: string;
  readonly session_id?: string;
  readonly session?: { readonly session_id: string };
  readonly client_message_id?: string;
  readonly content?: string;
  readonly sequence?: number;
  readonly event_id?: string;
  readonly events?: readonly Frame[];
}

interface Send {
  readonly session_id: string;
  readonly id: string;
  readonly content: string;
}

/** Frames that a device sent and received, over all its connections and reloads. */
export interface Auditor {
  readonly watch: (page: OpenPage['page']) => void;
  readonly sends: () => readonly Send[];
  /** Resolves when this text is on the wire; its delivery is still unknown. */
  readonly leaving: (content: string) => Promise<void>;
  /** Writes a file per session for the checker. */
  readonly write: (folder: string) => void;
}

export function createAuditor(name: string): Auditor {
  const sends = new Map<string, Send>();
  const accepted = new Map<string, Frame>();
  const refused: Frame[] = [];
  const waiting = new Map<string, () => void>();
  /** By session, then by the whole event: two different events with one sequence are both kept. */
  const seen = new Map<string, Map<string, Frame>>();

  const sent = ({ type, session_id = '', client_message_id: id = '', content = '' }: Frame): void => {
    if (type !== 'send_message') return;
    sends.set(id, { session_id, id, content });
    waiting.get(content)?.();
  };
  const came = (frame: Frame): void => {
    const { type, event_id, sequence, client_message_id: id = '' } = frame;
    for (const event of frame.events ?? []) came(event);
    if (type === 'connection_error') refused.push(frame);
    if (event_id === undefined) return;
    if (type === 'message_accepted' && sends.has(id) && !accepted.has(id)) accepted.set(id, frame);
    const session_id = frame.session_id ?? frame.session?.session_id ?? '';
    const events = seen.get(session_id) ?? new Map<string, Frame>();
    seen.set(session_id, events.set(`${sequence} ${event_id} ${type}`, frame));
  };

  return {
    watch(page) {
      page.on('websocket', (socket) => {
        if (!socket.url().endsWith('/ws/chat')) return;
        socket.on('framesent', ({ payload }) => sent(JSON.parse(String(payload))));
        socket.on('framereceived', ({ payload }) => came(JSON.parse(String(payload))));
      });
    },
    sends: () => [...sends.values()],
    leaving: (content) => new Promise((resolve) => waiting.set(content, resolve)),
    write(folder) {
      for (const [session_id, events] of seen) {
        const log = openLog(folder, `${name}-${session_id}`);
        const own = [...sends.values()].filter((send) => send.session_id === session_id);
        for (const { id } of own) log({ did: 'send', session_id, id });
        for (const { id } of own) {
          const { sequence = 0, event_id = '' } = accepted.get(id) ?? {};
          if (accepted.has(id)) log({ did: 'accepted', session_id, id, sequence, event_id });
        }
        const inOrder = [...events.values()].sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
        log({ did: 'begin', session_id, after: (inOrder[0]?.sequence ?? 1) - 1 });
        for (const { type, sequence = 0, event_id = '', client_message_id: id } of inOrder)
          log({ did: 'see', session_id, sequence, event_id, type, ...(id !== undefined && { id }) });
      }
      const log = openLog(folder, `${name}-refusals`);
      for (const frame of refused) log({ did: 'wonder', frame });
    },
  };
}

/** Writes the checker's input: frames of the devices, and the agent's record of its prompts. */
export function writeLogs(witnesses: readonly Auditor[], taken: readonly string[]) {
  const logs = join(temporaryFolder(), 'logs');
  mkdirSync(logs);
  for (const witness of witnesses) witness.write(logs);
  const sends = witnesses.flatMap((witness) => witness.sends());
  const log = openLog(logs, 'agent');
  for (const text of taken) {
    const { session_id, id } = sends.find(({ content }) => content === text) ?? { session_id: '', id: text };
    log({ did: 'inject', session_id, id });
  }
  return { logs, sends: sends.length };
}

/** Removes one event, to prove that the checker notices. */
export function removeEvent(logs: string, name: string): void {
  const file = join(logs, `${name}.jsonl`);
  const lines = readFileSync(file, 'utf8').split('\n');
  const [, second] = lines.filter((line) => line.includes('"did":"see"'));
  writeFileSync(file, lines.filter((line) => line !== second).join('\n'));
}
