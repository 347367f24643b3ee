import { type Action, parseAction } from '@drawbridge/protocol';

type Words = (first: string, second: string, subject: string | undefined) => string;

/** An element's id says nothing to a person: what it is called does. */
const WORDS: Readonly<Record<string, Words>> = {
  click: (id, _, subject) => `Press ${thing(subject, id)}`,
  setValue: (id, text, subject) => `Write “${text}” into ${thing(subject, id)}`,
  select: (id, option, subject) => `Choose “${option}” in ${thing(subject, id)}`,
  check: (id, _, subject) => `Tick ${thing(subject, id)}`,
  uncheck: (id, _, subject) => `Untick ${thing(subject, id)}`,
  hover: (id, _, subject) => `Point at ${thing(subject, id)}`,
  navigate: (url) => `Go to ${url}`,
  back: () => 'Go back',
  wait: (text) => (text === '' ? 'Wait until the page rests' : `Wait for “${text}”`),
  call: (tool, input) => `Use ${tool}${input === '{}' ? '' : ` ${input}`}`,
};

const thing = (subject: string | undefined, id: string): string =>
  subject === undefined ? `element ${id}` : `“${subject}”`;

/** What is done, as a person would say it; as it was written, where it says more than that. */
export function deedOf(action: string, subject?: string): string {
  const read = readAction(action);
  const words = read && Object.hasOwn(WORDS, read.name) ? WORDS[read.name] : undefined;
  if (read === undefined || words === undefined)
    return subject === undefined ? action : `${action} “${subject}”`;
  const [first = '', second = ''] = read.args.map((each) =>
    typeof each === 'string' ? each : JSON.stringify(each),
  );
  return words(first, second, subject);
}

function readAction(text: string): Action | undefined {
  try {
    return parseAction(text);
  } catch {
    return undefined;
  }
}
