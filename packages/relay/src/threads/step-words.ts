import { RecentMap } from '@drawbridge/base';
import type { RuntimeView } from '@drawbridge/bridge';
import { SITE_TOOL } from '@drawbridge/manifest';
import { plainLine } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { toolTitle } from '@drawbridge/protocol/sentences';

/** A browser call in words, before and after its result. */
export interface StepWords {
  /** As in a task's steps: `click("7")`. */
  readonly action: string;
  /** "Presses “Add to cart”" */
  readonly doing: string;
  /** "Pressed “Add to cart”" */
  readonly done: string;
  readonly subject?: string;
  /** Whether it changes something, so that a person would call it a step. */
  readonly isStep: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Verb = readonly [action: string, doing: string, done: string];

/** Verbs with an element after them. */
const ON_ELEMENT: Readonly<Record<string, Verb>> = {
  'element.click': ['click', 'Presses', 'Pressed'],
  'element.double_click': ['click', 'Presses twice', 'Pressed twice'],
  'element.hover': ['hover', 'Points at', 'Pointed at'],
  'element.focus': ['focus', 'Goes to', 'Went to'],
  'element.fill': ['fill', 'Fills in', 'Filled in'],
  'element.type': ['type', 'Types into', 'Typed into'],
  'element.select': ['choose', 'Chooses an option in', 'Chose an option in'],
  'element.check': ['check', 'Ticks', 'Ticked'],
  'element.uncheck': ['uncheck', 'Unticks', 'Unticked'],
  'element.upload': ['upload', 'Gives a file to', 'Gave a file to'],
  'element.scroll_to': ['scroll', 'Scrolls to', 'Scrolled to'],
  'element.drag': ['drag', 'Drags', 'Dragged'],
  'element.keys': ['keys', 'Presses keys in', 'Pressed keys in'],
};

/** Verbs that stand alone. */
const ALONE: Readonly<Record<string, Verb>> = {
  'browser.screenshot': ['picture', 'Takes a picture of the page', 'Took a picture of the page'],
  'browser.navigate': ['navigate', 'Opens another page', 'Opened another page'],
  'browser.open_tab': ['open_tab', 'Opens a tab', 'Opened a tab'],
  'browser.close_tab': ['close_tab', 'Closes a tab', 'Closed a tab'],
  'browser.dismiss_dialog': ['dialog', 'Answers a dialog of the page', 'Answered a dialog of the page'],
  'browser.run_javascript': ['script', 'Runs a script in the page', 'Ran a script in the page'],
  'page.wait': ['wait', 'Waits for the page', 'Waited for the page'],
  'page.fetch': ['fetch', 'Fetches a page', 'Fetched a page'],
};

/** They change nothing. */
const LOOKS = new Set([
  'element.hover',
  'element.focus',
  'element.scroll_to',
  'browser.screenshot',
  'page.wait',
]);

const LOOK: Verb = ['look', 'Looks at the page', 'Looked at the page'];
const MAX_SUBJECT = 80;
const PLAIN_ID = /^[\w-]{1,80}$/;

/** Words of a page or an agent inside a sentence of the relay: nothing in them ends the quotation (CHT-365). */
export const inQuotes = (text: string, maxChars = MAX_SUBJECT): string =>
  `“${plainLine(text, maxChars).replace(/["“”„‟«»]/g, '’')}”`;

/**
 * Values that the agent writes stay out: they may be secret. `labels` has the names of elements by id, as the
 * agent last saw them; `toolOf` has how the map of the tab describes a tool.
 */
export function stepWords(
  name: string,
  args: Fields,
  labels: ReadonlyMap<string, string>,
  toolOf: (tool: string) => string | undefined,
): StepWords {
  const id = typeof args['id'] === 'string' ? args['id'] : '';
  const onElement = ON_ELEMENT[name];
  if (onElement !== undefined) {
    const [verb, doing, done] = onElement;
    const label = plainLine(labels.get(id) ?? '', MAX_SUBJECT);
    const thing = label === '' ? `element ${PLAIN_ID.test(id) ? id : inQuotes(id)}` : inQuotes(label);
    return {
      ...{ action: `${verb}(${JSON.stringify(id)})`, doing: `${doing} ${thing}`, done: `${done} ${thing}` },
      ...(label !== '' && { subject: label }),
      isStep: !LOOKS.has(name),
    };
  }
  const url = typeof args['url'] === 'string' ? URL.parse(args['url'])?.origin : undefined;
  const alone = ALONE[name];
  if (alone !== undefined) {
    const [verb, doing, done] = alone;
    const place = url === undefined || url === 'null' ? '' : ` at ${url}`;
    return { action: `${verb}()`, doing: doing + place, done: done + place, isStep: !LOOKS.has(name) };
  }
  if (primitiveByName(name) !== undefined) {
    const [verb, doing, done] = LOOK;
    return { action: `${verb}()`, doing, done, isStep: false };
  }
  const named = name === SITE_TOOL.name ? args['action'] : name;
  if (typeof named !== 'string') {
    return { action: `${LOOK[0]}()`, doing: LOOK[1], done: LOOK[2], isStep: false };
  }
  const tool = plainLine(named, MAX_SUBJECT);
  const subject = toolTitle(toolOf(named) ?? '') || tool;
  return {
    action: `call(${JSON.stringify(tool)})`,
    doing: `Uses ${inQuotes(subject)}`,
    done: `Used ${inQuotes(subject)}`,
    subject,
    isStep: true,
  };
}

/** The page that a step led to, without query and fragment, which may hold a secret. */
export function pageAfter(output: unknown): { readonly after?: { readonly url: string } } {
  const { effect, url, navigated } = fieldsOf(output);
  const to = fieldsOf(fieldsOf(effect)['url'])['to'] ?? (navigated === true ? url : undefined);
  const page = typeof to === 'string' ? URL.parse(to) : null;
  return page === null || page.origin === 'null' ? {} : { after: { url: page.origin + page.pathname } };
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const MAX_TABS = 50;
const MAX_LABELS = 2_000;
const MAX_DEPTH = 40;

/** Names of elements by tab: the same id is another element elsewhere. */
export interface TabLabels {
  readonly of: (tab: string | undefined) => ReadonlyMap<string, string>;
  /** Learns nothing from a call whose tab is unknown. */
  readonly learn: (tab: string | undefined, output: unknown) => void;
}

export function createTabLabels(): TabLabels {
  const tabs = new RecentMap<string, Map<string, string>>(MAX_TABS);
  return {
    of: (tab) => (tab === undefined ? undefined : tabs.get(tab)) ?? new Map(),
    learn(tab, output) {
      if (tab === undefined) return;
      const labels = tabs.get(tab) ?? new Map<string, string>();
      learnLabels(output, labels);
      tabs.set(tab, labels);
    },
  };
}

interface Addressed {
  readonly runtime_id?: string | undefined;
  readonly target_runtime_id?: string | undefined;
  readonly target?: { readonly runtime_id?: string; readonly runtime_key?: string } | undefined;
}

/** The tab of a call; of one that names none, the only tab there is. */
export function tabOfCall(
  tabs: readonly RuntimeView[],
  { runtime_id, target_runtime_id, target }: Addressed,
): RuntimeView | undefined {
  const id = runtime_id ?? target_runtime_id ?? target?.runtime_id;
  const key = target?.runtime_key;
  if (id !== undefined || key !== undefined)
    return tabs.find((tab) => tab.runtime_id === id || (key !== undefined && tab.ready.runtime_key === key));
  return tabs.length === 1 ? tabs[0] : undefined;
}

/** Stays the same when the tab goes to another page. */
export const tabKey = ({ ready, runtime_id }: RuntimeView): string => ready.runtime_key ?? runtime_id;

/** Remembers the names of elements in an answer: nodes have an id `i` and a name `n`. */
function learnLabels(output: unknown, labels: Map<string, string>, depth = 0): void {
  if (typeof output !== 'object' || output === null || depth > MAX_DEPTH) return;
  if ('i' in output && 'n' in output && typeof output.i === 'string' && typeof output.n === 'string') {
    labels.delete(output.i);
    labels.set(output.i, output.n);
    const [oldest] = labels.keys();
    if (labels.size > MAX_LABELS && oldest !== undefined) labels.delete(oldest);
  }
  for (const value of Object.values(output)) learnLabels(value, labels, depth + 1);
}
