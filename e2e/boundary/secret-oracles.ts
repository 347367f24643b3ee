/** A question of an agent about the page's text that reveals whether a guess is there. */
export interface Oracle {
  readonly name: string;
  readonly ask: (guess: string) => { readonly name: string; readonly args: object };
}

const waits: readonly Oracle[] = [
  {
    name: 'wait text',
    ask: (guess) => ({ name: 'page.wait', args: { for: 'text', text: `typed ${guess}`, timeout_ms: 1 } }),
  },
  {
    name: 'wait text_gone',
    ask: (guess) => ({
      name: 'page.wait',
      args: { for: 'text_gone', text: `typed ${guess}`, timeout_ms: 1 },
    }),
  },
  {
    name: 'wait url',
    ask: (guess) => ({ name: 'page.wait', args: { for: 'url', url_contains: `=${guess}`, timeout_ms: 1 } }),
  },
];

/** Locators that depend on the guess. */
const LOCATORS: Readonly<Record<string, (guess: string) => object>> = {
  text_contains: (guess) => ({ text_contains: `typed ${guess}` }),
  'text_contains in a selector': (guess) => ({ selector: 'p', text_contains: `typed ${guess}` }),
  text: (guess) => ({ text: `typed ${guess}` }),
  text_equals: (guess) => ({ selector: 'button', text_equals: `Copy ${guess} now` }),
  name: (guess) => ({ role: 'link', name: `Use ${guess}` }),
  url_contains: (guess) => ({ selector: 'main', url_contains: `=${guess}` }),
  url_matches: (guess) => ({ selector: 'main', url_matches: `=${guess}` }),
  retarget: (guess) => ({ selector: '.inner', retarget: { closest: `[title^="${guess}"]` } }),
};

/** Selectors that depend on the guess. */
const SELECTORS: Readonly<Record<string, (guess: string) => string>> = {
  prefix: (guess) => `[title^="${guess}"]`,
  suffix: (guess) => `[data-copy$="${guess}"]`,
  substring: (guess) => `[data-copy*="${guess}"]`,
  word: (guess) => `[data-copy~="${guess}"]`,
  dash: (guess) => `[data-echo|="${guess}"]`,
  whole: (guess) => `[name="${guess}"]`,
  'any case': (guess) => `[title^="${guess.toUpperCase()}" i]`,
  'an escaped name': (guess) => `[\\74 itle^="${guess}"]`,
  'any namespace': (guess) => `[*|title^="${guess}"]`,
  'mixed case in SVG': (guess) => `svg[dataEcho^="${guess}"]`,
  address: (guess) => `[href*="p=${guess}"]`,
  placeholder: (guess) => `[placeholder^="${guess}"]`,
  label: (guess) => `[aria-label*="${guess}"]`,
  class: (guess) => `.${cssName(guess)}`,
  id: (guess) => `#${cssName(guess)}`,
  'an ancestor': (guess) => `[title^="${guess}"] .inner`,
  'a sibling': (guess) => `[title^="${guess}"] ~ a`,
  has: (guess) => `main:has([title^="${guess}"])`,
  not: (guess) => `section:not([title^="${guess}"])`,
  'is in where': (guess) => `:where(:is(section[title^="${guess}"]))`,
  'nth of': (guess) => `:nth-child(1 of [title^="${guess}"])`,
  'with a state': (guess) => `button[name^="${guess}"]:enabled`,
  'in a shadow root': (guess) => `x-echo >>> [title^="${guess}"]`,
  comment: (guess) => `[title/**/^="${guess}"]`,
};

const cssName = (text: string): string => text.replace(/^\d/, (digit) => `\\3${digit} `);

/** XPaths that depend on the guess. */
const PATHS: Readonly<Record<string, (guess: string) => string>> = {
  attribute: (guess) => `//*[starts-with(@title, '${guess}')]`,
  text: (guess) => `//p[contains(text(), 'typed ${guess}')]`,
  'text across elements': (guess) => `//p[contains(., 'typed ${guess}')]`,
  substring: (guess) => `//section[substring(@title, 1, ${guess.length}) = '${guess}']`,
};

const entriesOf = <Make>(made: Readonly<Record<string, Make>>) => Object.entries(made);

const locators: readonly Oracle[] = [
  ...entriesOf(LOCATORS).map(([name, make]) => ({
    name: `wait_for ${name}`,
    ask: (guess: string) => ({
      name: 'locator.wait_for',
      args: { locator: make(guess), state: 'attached', timeout_ms: 1 },
    }),
  })),
  ...entriesOf(SELECTORS).map(([name, make]) => ({
    name: `selector: ${name}`,
    ask: (guess: string) => ({
      name: 'dom.observe.attributes',
      args: { selector: make(guess), attributes: ['role'] },
    }),
  })),
];

const observers: readonly Oracle[] = [
  {
    name: 'element_info',
    ask: (guess) => ({
      name: 'locator.element_info',
      args: { locator: { text_contains: `typed ${guess}` } },
    }),
  },
  {
    name: 'observe.visible',
    ask: (guess) => ({
      name: 'dom.observe.visible',
      args: { selector: 'p, a, button', text_contains: `typed ${guess}` },
    }),
  },
  {
    name: 'observe.attributes',
    ask: (guess) => ({
      name: 'dom.observe.attributes',
      args: { selector: 'p, a, button', attributes: ['role'], text_contains: `typed ${guess}` },
    }),
  },
  {
    name: 'list_sections',
    ask: (guess) => ({
      name: 'dom.list_sections',
      args: { selector: 'main, p', text_contains: `typed ${guess}` },
    }),
  },
  {
    name: 'list_sections items',
    ask: (guess) => ({
      name: 'dom.list_sections',
      args: { selector: 'main', item_selector: `[title^="${guess}"]` },
    }),
  },
  {
    name: 'scroll items',
    ask: (guess) => ({ name: 'viewport.scroll', args: { item_selector: `[title^="${guess}"]` } }),
  },
  {
    name: 'snapshot query',
    ask: (query) => ({ name: 'page.snapshot', args: { scope: 'page', query, max_tokens: 60 } }),
  },
  {
    name: 'snapshot_text by selector',
    ask: (guess) => ({ name: 'dom.snapshot_text', args: { selector: `[title^="${guess}"]` } }),
  },
  ...entriesOf(PATHS).map(([name, make]) => ({
    name: `xpath: ${name}`,
    ask: (guess: string) => ({
      name: 'page.extract',
      args: {
        entries: [
          {
            id: 'all',
            selector: 'html',
            fields: { found: { xpath: make(guess), many: true, attribute: 'role' } },
          },
        ],
      },
    }),
  })),
  {
    name: 'extract closest',
    ask: (guess) => ({
      name: 'page.extract',
      args: {
        entries: [
          {
            id: 'all',
            selector: '.inner',
            many: true,
            fields: { up: { closest: `[title^="${guess}"]`, attribute: 'id' } },
          },
        ],
      },
    }),
  },
  ...(['name', 'text', 'selector'] as const).map((by) => ({
    name: `expected ${by}`,
    ask: (guess: string) => ({
      name: 'element.hover',
      args: {
        id: '$hover',
        expected: {
          type: 'element_disappears',
          timeoutMs: 1,
          element:
            by === 'name'
              ? { name: `Use ${guess}` }
              : by === 'text'
                ? { role: 'button', text: guess }
                : { selector: `[title^="${guess}"]` },
        },
      },
    }),
  })),
];

export const ORACLES: readonly Oracle[] = [...waits, ...locators, ...observers];

type Ask = (name: string, args: object) => Promise<unknown>;

/** The answer of an oracle to a guess, without the parts that vary between calls. */
export async function outcomeOf(
  { ask }: Oracle,
  guess: string,
  answerTo: Ask,
  hovered: () => Promise<string>,
) {
  const { name, args } = ask(guess);
  const hover = name === 'element.hover' ? { id: await hovered() } : {};
  const answer = await answerTo(name, { ...args, ...hover });
  if (answer instanceof Error) return `${Reflect.get(answer, 'code')}`;
  if (name === 'element.hover') return String(Reflect.get(Object(answer), 'verification_passed'));
  const text = JSON.stringify(answer, (key, inner) => (VOLATILE.has(key) ? undefined : inner));
  return text.replace(/\[\d+\w+ ago\]/g, '');
}

/** The part of a secret that can be read letter by letter by these questions. */
export async function readByLetters(value: string, wrong: string, answerTo: Ask) {
  const letters = [...new Set([...value, ...wrong])];
  const read = async (question: (guess: string) => readonly [string, object]): Promise<string> => {
    let known = '';
    for (let grew = true; grew && known.length < value.length; ) {
      grew = false;
      for (const letter of letters) {
        const answer = await answerTo(...question(known + letter));
        if (answer instanceof Error) continue;
        known += letter;
        grew = true;
        break;
      }
    }
    return known;
  };
  return {
    text: await read((guess) => ['page.wait', { for: 'text', text: `You typed ${guess}`, timeout_ms: 1 }]),
    url: await read((guess) => ['page.wait', { for: 'url', url_contains: `#p=${guess}`, timeout_ms: 1 }]),
    title: await read((guess) => [
      'locator.wait_for',
      { locator: { selector: `a[title^="${guess}"]` }, state: 'attached', timeout_ms: 1 },
    ]),
  };
}

const VOLATILE = new Set([
  'late',
  'elapsed_ms',
  'snapshot_id',
  'locator',
  'selector',
  'bounding_box',
  'xy',
  'box',
]);
