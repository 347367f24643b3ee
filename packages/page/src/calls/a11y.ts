import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import type { TextCleaner } from '../page-internals.ts';
import { accessibleNameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { isVisible } from '../perceive/visibility.ts';
import { visibleValueOf } from '../secrets/secret-field.ts';
import { elementsBy } from './elements.ts';
import type { InPageContext } from './in-page-context.ts';
import { isInView, matchOf } from './observe.ts';
import { cut, tidy } from './readable-text.ts';

const NAME_CHARS = 240;
const MATCHES = 10;
const NODES = 500;

/** Roles without a meaning: https://www.w3.org/TR/wai-aria-1.2/#generic */
const UNLISTED = new Set(['', 'generic', 'none', 'presentation']);

export function query(args: InputOf<'a11y.query'>, context: InPageContext): OutputOf<'a11y.query'> {
  const { role, name, name_contains } = args;
  if (role === undefined && name === undefined && name_contains === undefined) {
    const message = 'Say what to look for: give `role`, `name` or `name_contains`.';
    throw new PageError('invalid_input', message, { reason: 'nothing_asked' });
  }
  // Masked before it is compared: a comparison must not confirm a guess.
  const clean = context.pageInternals.cleaner();
  const described = (element: Element) => ({ role: roleOf(element), name: nameOf(element, clean) });
  const part = name_contains === undefined ? undefined : tidy(name_contains).toLowerCase();
  const found = elementsBy('*', context).filter((element) => {
    if (role !== undefined && roleOf(element) !== role) return false;
    const isCalled =
      (name === undefined || nameOf(element, clean) === tidy(name)) &&
      (part === undefined || nameOf(element, clean).toLowerCase().includes(part));
    return isCalled && (role !== undefined || !UNLISTED.has(roleOf(element))) && isVisible(element);
  });
  const common = { match_count: found.length, matches: found.slice(0, MATCHES).map(described) };
  const [element] = found;
  if (element === undefined) return { found: false, ...common };
  if (!isInView(element, context))
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const place = matchOf(element, clean, context);
  const value = visibleValueOf(element);
  return {
    found: true,
    ...common,
    ...described(element),
    tag_name: element.localName,
    ...(value !== undefined && { value: cut(clean(value), NAME_CHARS) }),
    ...(place ?? { clickable: false, receives_events: false }),
    actionability_attested: place?.receives_events === true,
  };
}

export function tree(args: InputOf<'a11y.tree'>, context: InPageContext): OutputOf<'a11y.tree'> {
  const { selector = '*', max_nodes = NODES } = args;
  const listed = elementsBy(selector === '*' ? '*' : `${selector}, ${selector} *`, context).filter(
    (element) => !UNLISTED.has(roleOf(element)) && isVisible(element),
  );
  const clean = context.pageInternals.cleaner();
  const depths = new Map<Element, number>();
  for (const element of listed) {
    let outer = outside(element);
    while (outer !== undefined && !depths.has(outer)) outer = outside(outer);
    depths.set(element, outer === undefined ? 0 : (depths.get(outer) ?? 0) + 1);
  }
  const nodes = listed.slice(0, max_nodes).map((element) => ({
    role: roleOf(element),
    name: nameOf(element, clean),
    depth: depths.get(element) ?? 0,
  }));
  return { nodes, node_count: listed.length, truncated: listed.length > nodes.length };
}

const nameOf = (element: Element, clean: TextCleaner): string =>
  cut(tidy(clean(accessibleNameOf(element))), NAME_CHARS);

/** The element around it, out of a shadow root too. */
function outside(element: Element): Element | undefined {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
}
