import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Of dom-accessibility-api and of okapibm25, by where they lie in `node_modules`. */
const NAMES = 'dom-accessibility-api/dist/';
const RANKS = 'okapibm25/dist/';

const OURS = JSON.stringify(join(import.meta.dirname, '../perceive/name-parts.ts'));

/**
 * What stands in a bundle in place of parts of a library: fallbacks for browsers without `Array.from` and `Set`, a
 * second reading of roles beside ours, and what was made for older browsers where the package has its source too.
 */
const STANDINS: Readonly<Record<string, string>> = {
  [`${NAMES}polyfills/array.from.mjs`]: 'export default Array.from;',
  [`${NAMES}polyfills/SetLike.mjs`]: 'export default Set;',
  [`${NAMES}getRole.mjs`]: `export { roleForName as default } from ${OURS};
    export const getLocalName = (element) => element.localName;`,
  [`${RANKS}BM25.js`]: `export { default } from '../BM25.ts';`,
};

const GIVEN = [/\(root\) \{\n.*arguments\[1\] : \{\};/, '(root, options) {'] as const;

/** What is replaced in a library's module: its own way to find labels, options that we never set, older browsers. */
const EDITS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  [`${NAMES}accessible-name.mjs`]: [GIVEN],
  [`${NAMES}util.mjs`]: [
    [/isElement\(node\) && getLocalName/g, 'getLocalName'],
    [/node\.getRootNode \? (.*) : .*;/, '$1;'],
  ],
  [`${NAMES}accessible-name-and-description.mjs`]: [
    GIVEN,
    [/function getLabels\(element\) \{[\s\S]*?\n\}/, `import { labelsOf as getLabels } from ${OURS};`],
    [/options\.(?:compute|hidden)(?=,)/g, 'undefined'],
    [/options\.computedStyleSupportsPseudoElements(?=,)/, 'true'],
    [/_options\$getComputedS === void 0 \? .* : /, ''],
    [/var window = safeWindow\(root\);/, ''],
    [/ \|\| querySelectorAllSubtree\(listbox, "\[selected\]"\)/, ''],
    [/switch \(role\) \{\n.*\n(.*)\n[\s\S]*?\n {2}\}/, '$1'],
    [/function getComputedStyle\(el, pseudoElement\) \{[\s\S]*?\n {2}\};/, 'uncachedGetComputedStyle;'],
    [/typeof Map === "undefined" \? undefined : new Map\(\)/, '0'],
  ],
};

/** A twentieth of the script, and the same names in less time: for every bundle that page code is in. */
export function leanLibraries(): Plugin {
  return {
    name: 'lean-libraries',
    load: (id) => STANDINS[partOf(id)],
    transform(code, id) {
      return EDITS[partOf(id)]?.reduce((text, [what, instead]) => {
        if (text.search(what) < 0)
          throw new Error(`dom-accessibility-api has no ${what} any more: see EDITS.`);
        return text.replace(what, instead);
      }, code);
    },
  };
}

function partOf(id: string): string {
  return id.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? '';
}
