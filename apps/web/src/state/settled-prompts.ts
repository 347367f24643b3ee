import type { ChatEvent } from '@drawbridge/link/chat';
import type { Entry, OpenPrompt, SettledEntry } from '@drawbridge/ui/model';

type Ending = Extract<ChatEvent, { type: 'permission_prompt_answered' | 'permission_prompt_expired' }>;

const DENIES = /^(no|never|deny|cancel|abort|reject.*)$/;

/** A prompt's outcome; without a time it follows the last known entry. */
export function settledBy(event: Ending, prompt: OpenPrompt, lastAt: number): SettledEntry {
  const { event_id: id, sequence } = event;
  const settled = { kind: 'settled', id, sequence, text: prompt.prompt_text } as const;
  if (event.type === 'permission_prompt_answered') {
    const { choice_id, answered_by: by, answered_at } = event;
    const outcome = { how: 'answered', by, ...choiceOf(prompt, choice_id) } as const;
    return { ...settled, at: Date.parse(answered_at), outcome };
  }
  const { applied_choice, server_ts = prompt.expires_at } = event;
  const applied = applied_choice && choiceOf(prompt, applied_choice).choice;
  return {
    ...settled,
    at: server_ts === undefined ? lastAt : Date.parse(server_ts),
    outcome: { how: 'expired', ...(applied && { choice: applied }) },
  };
}

function choiceOf({ choices }: OpenPrompt, choice_id: string) {
  const choice = choices.find((one) => one.choice_id === choice_id);
  return {
    choice: choice?.label ?? choice_id,
    allows: choice?.effect ? choice.effect === 'allow' : !DENIES.test(choice_id),
  };
}

/** Inserts prompts that were settled among a snapshot's messages, which omits them. */
export function withSettled(entries: readonly Entry[], events: readonly ChatEvent[]): readonly Entry[] {
  const indexByKey = new Map<string, number>();
  const asked = new Map<string, OpenPrompt>();
  const known = new Set(entries.map(({ id }) => id));
  const settled: SettledEntry[] = [];
  for (const event of events) {
    if (event.type === 'message_event') {
      const { message_id } = event.message;
      if (!indexByKey.has(message_id)) indexByKey.set(message_id, event.sequence);
    } else if (event.type === 'permission_prompt') asked.set(event.prompt_id, event);
    else if (event.type === 'permission_prompt_answered' || event.type === 'permission_prompt_expired') {
      const prompt = asked.get(event.prompt_id);
      if (prompt === undefined || known.has(event.event_id)) continue;
      settled.push(settledBy(event, prompt, entries.at(-1)?.at ?? 0));
    }
  }
  return settled.reduce((list, entry) => putInPlace(list, entry, indexByKey), entries);
}

/** Before the first later entry. */
function putInPlace(
  entries: readonly Entry[],
  entry: SettledEntry,
  places: ReadonlyMap<string, number>,
): readonly Entry[] {
  const { sequence = 0 } = entry;
  const later = entries.findIndex((other) => (other.sequence ?? places.get(other.id) ?? 0) > sequence);
  return later < 0 ? [...entries, entry] : entries.toSpliced(later, 0, entry);
}
