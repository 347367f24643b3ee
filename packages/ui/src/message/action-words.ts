import { type Action, parseAction } from '@drawbridge/protocol';
import type { Words } from '../words/en.ts';
import { argumentsText } from './value-lines.ts';

type StepAction = (thing: string, second: string, first: string) => string;

/** Describes an action as a sentence; unknown actions are shown as written. */
export function stepActionOf(action: string, subject: string | undefined, { deed }: Words): string {
  const read = readAction(action);
  const deeds: Readonly<Record<string, StepAction>> = deed.does;
  const says = read && Object.hasOwn(deeds, read.name) ? deeds[read.name] : undefined;
  if (read === undefined || says === undefined)
    return subject === undefined ? action : `${action} ${deed.named(subject)}`;
  const [first = '', given = ''] = read.args.map((each) =>
    typeof each === 'string' ? each : JSON.stringify(each),
  );
  const second = read.name === 'call' ? argumentsText(given) : given;
  // Prefers the element's name: its id means nothing to a person.
  return says(subject === undefined ? deed.numbered(first) : deed.named(subject), second, first);
}

function readAction(text: string): Action | undefined {
  try {
    return parseAction(text);
  } catch {
    return undefined;
  }
}
