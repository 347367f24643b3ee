import { type AuditNames, headlineOf, sessionName, useWords, type Words } from '@drawbridge/ui';
import { useAppState, usePreferences } from '../app-context.ts';
import type { Device } from '../client/api.ts';
import type { AuditEntry } from '../client/audit-api.ts';

type Known = Words['audit']['entries'];

const isKnown = (entries: Known, action: string): action is keyof Known => Object.hasOwn(entries, action);

/** Name of an action; a newer relay may have more of them. */
const actionText = ({ audit: { entries } }: Words, action: string): string =>
  isKnown(entries, action) ? entries[action].name : action.replaceAll('_', ' ');

interface AuditText {
  readonly sentence: string;
  /** Site and problem. */
  readonly more: string;
}

/** Puts entries into words, with the names of devices and sessions. */
export function useAuditText(devices: readonly Device[]): (entry: AuditEntry) => AuditText {
  const words = useWords();
  const sessions = useAppState((state) => state.sessions);
  const { names } = usePreferences();
  const labelOf = (id: unknown): string => devices.find(({ device_id }) => device_id === id)?.label ?? '';
  const nameOfSession = (session_id: string | null): string => {
    const session = session_id === null ? undefined : sessions.get(session_id);
    return session === undefined ? '' : (names[session.session_id] ?? sessionName(session));
  };
  return ({ device_id, action, subject, detail }) => {
    const { audit, prompt, tasks } = words;
    const told = new Map<string, unknown>(Object.entries(detail ?? {}));
    const text = (name: string): string => {
      const value = told.get(name);
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    };
    const inWords = (from: Readonly<Record<string, string>>, id: string): string | undefined => from[id];
    const of: AuditNames['of'] = (name) => {
      if (name === 'agent') return text(name) || nameOfSession(subject) || audit.anAgent;
      if (name === 'asked') return headlineOf(text(name), words);
      if (name === 'for') return labelOf(told.get(name)) || audit.someone;
      if (name === 'machine') return text(name) || labelOf(told.get('proxy_device_id'));
      if (name === 'tab') {
        if (text(name)) return prompt.named(text(name));
        return subject === 'relay' ? '' : audit.aTab;
      }
      if (name === 'choice') return inWords(prompt.choices, text('choice_id')) ?? text(name);
      if (name === 'state') return inWords(tasks.state, text(name)) ?? text(name);
      return text(name);
    };
    const by = labelOf(device_id) || text('by') || audit.someone;
    const who = device_id === null ? audit.machine : by;
    const sentence = isKnown(audit.entries, action)
      ? audit.entries[action].says({ who, of })
      : `${who}: ${actionText(words, action)}`;
    return { sentence: capital(sentence), more: [text('site'), text('problem')].filter(Boolean).join(' · ') };
  };
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
