import type { RuntimeView } from '@drawbridge/bridge';
import type { ActionCall, BridgeItem } from '@drawbridge/protocol';
import type { MapChoice } from '@drawbridge/runtime';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import { counted, type Paint, paintFor, widthOf, wrap } from '../map/paint.ts';

/** Events of a lent browser. */
export type LiveEvent =
  | { readonly event: 'listening'; readonly url: string; readonly pid: number; readonly file: string }
  | {
      readonly event: 'joined';
      readonly url: string;
      readonly device_id: string;
      readonly label: string;
    }
  | { readonly event: 'relay'; readonly state: 'away' | 'back' }
  | {
      readonly event: 'runtime';
      readonly runtime_id: string;
      readonly url: string;
      readonly title: string;
      readonly map: MapWords;
    }
  | { readonly event: 'gone'; readonly runtime_id: string; readonly reason: string }
  | { readonly event: 'call'; readonly runtime_id: string; readonly call_id: string; readonly name: string }
  | {
      readonly event: 'answer';
      readonly call_id: string;
      readonly name: string;
      readonly ok: boolean;
      readonly ms: number;
      readonly code?: string;
      readonly message?: string;
    };

/** The chosen map, and the reason. */
export interface MapWords {
  /** Absent if no map fits. */
  readonly address?: string;
  readonly valid: boolean;
  readonly tools: number;
  readonly why: string;
  readonly problems: readonly string[];
}

export function mapWords({ offer, address, candidates, problems, trust }: MapChoice): MapWords {
  const others = candidates.length - 1;
  const rank = address?.startsWith('storage:') ? `${trust} storage, by its host` : 'a file that you named';
  return {
    ...(address && { address }),
    valid: offer.ready,
    tools: offer.ready ? offer.map.tools.length : 0,
    why:
      address === undefined
        ? 'no map fits this page'
        : `${rank}${others > 0 ? `, before ${counted(others, 'other')}` : ''}`,
    problems,
  };
}

export type EventLog = ReturnType<typeof createEventLog>;

/** Turns bridge traffic into events, each once, without heartbeats. */
export function createEventLog(tell: (event: LiveEvent) => void, now: () => number) {
  const known = new Map<string, string>();
  const running = new Map<string, { readonly call: ActionCall; readonly since: number }>();
  return {
    runtime({ runtime_id, ready }: RuntimeView, choice: MapChoice | undefined): void {
      if (choice === undefined) return;
      const { url, title = '' } = ready;
      const event = { event: 'runtime', runtime_id, url, title, map: mapWords(choice) } as const;
      const mark = JSON.stringify(event);
      if (known.get(runtime_id) === mark) return;
      known.set(runtime_id, mark);
      tell(event);
    },
    gone(runtime_id: string, reason: string): void {
      if (known.delete(runtime_id)) tell({ event: 'gone', runtime_id, reason });
    },
    traffic(_: 'in' | 'out', item: BridgeItem): void {
      if (item.type === 'action_call') {
        running.set(item.call_id, { call: item, since: now() });
        tell({ event: 'call', runtime_id: item.runtime_id ?? '', call_id: item.call_id, name: item.name });
      }
      if (item.type !== 'action_call_output' && item.type !== 'action_error') return;
      const ended = item.call_id === undefined ? undefined : running.get(item.call_id);
      if (ended === undefined || item.call_id === undefined) return;
      running.delete(item.call_id);
      const error = item.type === 'action_error' ? item.error : undefined;
      tell({
        event: 'answer',
        call_id: item.call_id,
        name: ended.call.name,
        ok: error === undefined,
        ms: now() - ended.since,
        ...(error && { code: error.code, message: error.message }),
      });
    },
  };
}

const MAX_CHARS = 300;

/** An event for a person. Addresses and titles come from the page. */
export function eventLines(event: LiveEvent, terminal: Terminal): readonly string[] {
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  const cut = (text: string, room: number) => plainText(text, Math.max(room, 10));
  const words = (text: string) => wrap(plainText(text, MAX_CHARS), width, '    ');
  switch (event.event) {
    case 'listening':
      return [
        `Agents on this machine can use the browser at ${event.url}`,
        'drawbridge mcp finds it. Press Ctrl-C to stop.',
      ];
    case 'joined':
      return [
        `Lent through the relay at ${event.url}, as “${event.label}”.`,
        'You approve what can’t be undone there. Press Ctrl-C to stop.',
      ];
    case 'relay':
      return [
        event.state === 'away'
          ? paint.bad('The relay does not answer. Trying again…')
          : paint.good('The relay is back.'),
      ];
    case 'runtime':
      return [
        `${paint.good('tab')}  ${cut(event.title || event.url, width - 5)}`,
        `     ${paint.quiet(cut(event.url, width - 5))}`,
        ...mapLines(event.map, words, paint),
      ];
    case 'gone':
      return [paint.quiet(`gone ${cut(event.reason, width - 5)}`)];
    case 'call':
      return [`call ${cut(event.name, width - 5)}`];
    case 'answer':
      return event.ok
        ? [`${paint.good('done')} ${cut(event.name, width - 16)} ${paint.quiet(`${event.ms} ms`)}`]
        : [
            `${paint.bad('fail')} ${cut(`${event.name}: ${event.code}`, width - 5)}`,
            ...words(event.message ?? ''),
          ];
  }
}

function mapLines(map: MapWords, words: (text: string) => string[], paint: Paint): readonly string[] {
  if (map.address === undefined) return [paint.quiet(`    ${map.why}`)];
  const state = map.valid ? counted(map.tools, 'tool') : 'not valid: see drawbridge map validate';
  return [
    ...words(`map ${map.address}`),
    ...words(`${state}; ${map.why}`),
    ...map.problems.flatMap((problem) => words(`left out: ${problem}`)),
  ];
}
