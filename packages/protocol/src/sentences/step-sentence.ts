import { type Action, type ActionArgument, parseAction } from '../interact/action-string.ts';
import { stepWordsEn } from './step-words-en.ts';
import { argumentsText } from './value-lines.ts';

export type StepWords = typeof stepWordsEn;

type StepAction = (thing: string, second: string, first: string) => string;

const CALL_NAME = /^\s*([A-Za-z][\w.]*)\s*\(/;

/** Describes an action, or a chain of them, as a sentence. Text that is no action is shown as written. */
export function stepActionOf(
  action: string,
  subject: string | undefined,
  words: StepWords = stepWordsEn,
): string {
  return callsIn(action)
    .map((call, index) => sentenceOf(call, index === 0 ? subject : undefined, words))
    .join('; ');
}

function sentenceOf(call: string, subject: string | undefined, words: StepWords): string {
  const named = subject === undefined ? '' : words.named(subject);
  const action = readAction(call);
  const deeds: Readonly<Record<string, StepAction>> = words.does;
  const kind = action && kindOf(action, words);
  const says = kind !== undefined && Object.hasOwn(deeds, kind) ? deeds[kind] : undefined;
  if (action === undefined || says === undefined) {
    const name = CALL_NAME.exec(call)?.[1];
    return name === undefined ? [call, named].filter(Boolean).join(' ') : words.other(name, named);
  }
  const [first = '', given = ''] = action.args.map(textOf);
  const second = action.name === 'call' ? argumentsText(given) : given;
  // Prefers the element's name, or the map's words for its tool: an id means nothing to a person.
  const id = action.name === 'call' ? first : words.numbered(first);
  return says(named === '' ? id : named, second, first);
}

/** The same action has other words by its arguments. */
function kindOf({ name, args: [first, second] }: Action, { isPlace }: StepWords): string {
  if (name === 'check' && second === false) return 'uncheck';
  if (name === 'press' && second === undefined) return 'pressKey';
  if (name === 'wait' && first !== undefined && !Number.isNaN(Number(first))) return 'pause';
  return name === 'scroll' && first !== undefined && !isPlace(textOf(first)) ? 'scrollTo' : name;
}

const textOf = (value: ActionArgument): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** INT-321: a chain is written as `setValue(3, "a"); check(4)`. A text may hold the same signs. */
function callsIn(text: string): readonly string[] {
  const calls: string[] = [];
  let open = '';
  for (const part of text.split('; ')) {
    open = open === '' ? part : `${open}; ${part}`;
    if (readAction(open) === undefined) continue;
    calls.push(open);
    open = '';
  }
  return open === '' ? calls : calls.length === 0 ? [text] : [...calls, open];
}

function readAction(text: string): Action | undefined {
  try {
    return parseAction(text);
  } catch {
    return undefined;
  }
}
