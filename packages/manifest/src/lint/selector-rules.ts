import type { Manifest, Target } from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';
import { find, press, toolOf, verify } from './example.ts';
import { INSERTS_TEXT } from './primitive-facts.ts';
import type { LintHit, LintRule } from './rule.ts';
import { locatorsOf, stepsOf } from './workflow-view.ts';

interface SelectorUse {
  readonly target: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** Every target and locator of a map. */
function selectorUsesOf(map: Manifest): SelectorUse[] {
  const of = (section: string, parts: readonly { readonly target?: Target }[] = []): SelectorUse[] =>
    parts.flatMap(({ target }, index) =>
      target === undefined ? [] : [{ target, path: [section, index, 'target'] }],
    );
  const states = (map.states ?? []).flatMap(({ diagnostics = [] }, index) =>
    of('diagnostics', diagnostics).map(({ target, path }) => ({ target, path: ['states', index, ...path] })),
  );
  const steps = stepsOf(map)
    .flatMap(locatorsOf)
    .map(({ locator, path }) => ({ target: locator, path }));
  return [
    ...of('tools', map.tools),
    ...of('signals', map.signals),
    ...of('attachments', map.attachments),
    ...states,
    ...steps,
  ];
}

const texts = (value: unknown): string[] =>
  [value].flat().filter((item): item is string => typeof item === 'string' && !item.startsWith('{%'));

const NARROWED = ['text', 'text_contains', 'text_equals', 'name', 'frame', 'retarget'];
const isNarrowed = (target: SelectorUse['target']): boolean =>
  NARROWED.some((key) => target[key] !== undefined);

const BROAD = /^(\*|[a-z][a-z0-9]*)$/;

const broadSelector: LintRule = {
  code: 'broad_selector',
  severity: 'minor',
  summary: 'A selector is a bare tag or `*`, with no text or name to narrow it.',
  why: 'The first match on the page is used. When the site adds a button above, the tool presses that one.',
  bad: { tools: [toolOf([find('button'), press(), verify('#cart-count')])] },
  good: { tools: [toolOf([find("[data-testid='add-to-cart']"), press(), verify('#cart-count')])] },
  *find(map) {
    for (const { target, path } of selectorUsesOf(map)) {
      const broad = texts(target['selector']).find((selector) => BROAD.test(selector.trim()));
      if (broad !== undefined && !isNarrowed(target))
        yield {
          path: [...path, 'selector'],
          message: `is \`${broad}\`, which fits far more than one element; narrow it by an attribute, a text or a name`,
        };
    }
  },
};

const EDITABLE = /^(input|textarea|\[contenteditable(=['"]?true['"]?)?\]|\[role=['"]?textbox['"]?\])$/;

const ambiguousEditable: LintRule = {
  code: 'ambiguous_editable_target',
  severity: 'major',
  summary: 'Text goes into the first editable field of the page.',
  why: 'Pages have several: search, comment, password. Text in the wrong one may be sent to the wrong people.',
  bad: {
    tools: [
      toolOf([
        {
          id: 'write',
          primitive: 'text.insert',
          args: { text: '{% input.text %}', target: { selector: 'textarea' } },
        },
        verify('.draft'),
      ]),
    ],
  },
  good: {
    tools: [
      toolOf([
        {
          id: 'write',
          primitive: 'text.insert',
          args: { text: '{% input.text %}', target: { selector: "textarea[name='comment']" } },
        },
        verify('.draft'),
      ]),
    ],
  },
  *find(map) {
    for (const view of stepsOf(map)) {
      if (!INSERTS_TEXT.has(view.step.primitive)) continue;
      for (const { locator, path } of locatorsOf(view)) {
        const loose = texts(locator['selector']).find((selector) => EDITABLE.test(selector.trim()));
        if (loose !== undefined && !isNarrowed(locator))
          yield {
            path: [...path, 'selector'],
            message: `is \`${loose}\`, which fits every field one can write in; name the one that is meant`,
          };
      }
    }
  },
};

const BY_POSITION =
  /:(nth-child|nth-of-type|nth-last-child|first-child|last-child|first-of-type|last-of-type)\b/;

const containerBound: LintRule = {
  code: 'container_bound_control',
  severity: 'minor',
  summary: 'A control is found by its position in its container.',
  why: 'Lists are sorted, filtered and extended, so the third row changes.',
  bad: { tools: [toolOf([find('ul.results > li:nth-child(3) button.add'), press(), verify('#cart-count')])] },
  good: { tools: [toolOf([find("li[data-sku='mug'] button.add"), press(), verify('#cart-count')])] },
  *find(map) {
    for (const { target, path } of selectorUsesOf(map)) {
      const bound = texts(target['selector']).find((selector) => BY_POSITION.test(selector));
      if (bound !== undefined)
        yield {
          path: [...path, 'selector'],
          message:
            'finds its element by place; use something that stays with it, such as an attribute or a text',
        };
    }
  },
};

/** The first part of a selector, which everything after it depends on. */
const scopeOf = (selector: string): string | undefined => {
  const [scope = '', ...inside] = selector.trim().split(/\s+(?:>\s*)?/);
  return inside.length > 0 && /[#.[]/.test(scope) ? scope : undefined;
};

const sharedScope: LintRule = {
  code: 'fallbacks_share_a_dead_scope',
  severity: 'minor',
  summary: 'All fallback selectors begin inside the same element as the preferred one.',
  why: 'When the site renames that element, every fallback fails too.',
  bad: {
    attachments: [
      {
        id: 'badge',
        kind: 'status_badge',
        target: { selector: '#app-v2 .cart', fallback_selectors: ['#app-v2 .basket', '#app-v2 header a'] },
        lifecycle: {},
      },
    ],
  },
  good: {
    attachments: [
      {
        id: 'badge',
        kind: 'status_badge',
        target: { selector: '#app-v2 .cart', fallback_selectors: ["[aria-label='Cart']", 'header .cart'] },
        lifecycle: {},
      },
    ],
  },
  *find(map): Iterable<LintHit> {
    for (const { target, path } of selectorUsesOf(map)) {
      const fallbacks = texts(target['fallback_selectors']);
      const scopes = new Set(
        [...texts(target['selector']), ...texts(target['selectors']), ...fallbacks].map(scopeOf),
      );
      const [scope] = scopes;
      if (fallbacks.length > 0 && scopes.size === 1 && scope !== undefined)
        yield {
          path: [...path, 'fallback_selectors'],
          message: `all depend on \`${scope}\`; let one of them stand on its own`,
        };
    }
  },
};

export const SELECTOR_RULES: readonly LintRule[] = [
  broadSelector,
  ambiguousEditable,
  containerBound,
  sharedScope,
];
