import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Paths in `node_modules`. */
const NAMES = 'dom-accessibility-api/dist/';
const RANKS = 'okapibm25/';
const PATHS = '@medv/finder/';

const OURS = JSON.stringify(join(import.meta.dirname, '../perceive/name-parts.ts'));

/**
 * Replacements for parts of libraries: fallbacks for browsers without `Array.from` and `Set`, a second
 * implementation of roles, and builds for older browsers where the package ships its source.
 */
const STANDINS: Readonly<Record<string, string>> = {
  [`${NAMES}polyfills/array.from.mjs`]: 'export default Array.from;',
  [`${NAMES}polyfills/SetLike.mjs`]: 'export default Set;',
  [`${NAMES}getRole.mjs`]: `export { roleForName as default } from ${OURS};
    export const getLocalName = (element) => element.localName;`,
  [`${RANKS}dist/BM25.js`]: `export { default } from '../BM25.ts';`,
};

const GIVEN = [/\(root\) \{\n.*arguments\[1\] : \{\};/, '(root, options) {'] as const;

/**
 * Edits of library modules: their label lookup, options that we never set, a time limit next to a count
 * limit, older browsers; and bugs: tags such as `<o:p>`, unreadable values such as `Add to cart`.
 */
const EDITS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  [`${NAMES}accessible-name.mjs`]: [
    GIVEN,
    [/hasAnyConcreteRoles\(node, .*/, `hasNameTrait(node, 'p');`],
    [/^/, `import { hasNameTrait } from ${OURS};\n`],
  ],
  [`${PATHS}finder.js`]: [
    [
      /if \(input\.nodeType [\s\S]*?findRootDocument.*/,
      'const config = options, rootDocument = config.root;',
    ],
    [/config\.seedMinLength/, '3'],
    [/paths\.sort\(byPenalty\);\s*for [\s\S]*?\}/g, 'yield* paths.sort(byPenalty);'],
    [/for \(let i = 0; i < (element\.\w+)\.length; i\+\+\) \{\s*const (\w+) = .*/g, 'for (const $2 of $1) {'],
    [/nodeType === Node\.ELEMENT_NODE/, 'localName'],
    [/ && path\.length > config\.optimizedMinLength/, ''],
    [/const elapsedTimeMs = [\s\S]*?\|\|/, 'if ('],
    [/const fPath = [\s\S]*?return selector\(fPath\)/, "return ''"],
    [/const elapsedTimeMs = [\s\S]*?\}/, ''],
    [/, startTime/g, ''],
    [/throw new Error\(`Selector .*/, "return '';"],
    [
      /const optimized = (\[[\s\S]*?\]);[\s\S]*?return selector\(foundPath\)/,
      'return selector($1.sort(byPenalty)[0] ?? foundPath)',
    ],
    [/switch \((root.*)\) \{[\s\S]*?\n {4}\}/, 'return $1 === 1;'],
    [/"\$\{CSS\.escape\(attr\.value\)\}"/, `\${JSON.stringify(attr.value)}`],
    [/(\w+)\.tagName\.toLowerCase\(\)/g, 'CSS.escape($1.localName)'],
    [/if \(tagName === 'html'\) \{[\s\S]*?\n {4}\}/g, ''],
    [/const parent = [\s\S]*?let i = 0/, 'let child = input.parentNode.firstChild, i = 0'],
    [/if \(\w+ !== undefined\)/g, ''],
  ],
  [`${RANKS}BM25.ts`]: [
    [/constants && .* \? .* : /g, ''],
    [/ {4}if \(sorter\)[\s\S]*?\n {4}\}/, ''],
    [/ {2}if \(sorter\)[\s\S]*?\n {2}\}/, ''],
    [/\(corpus \|\| ""\)/g, 'corpus'],
  ],
  [`${NAMES}util.mjs`]: [
    [/isElement\(node\) && getLocalName/g, 'getLocalName'],
    [/node\.getRootNode \? (.*) : .*;/, '$1;'],
  ],
  [`${NAMES}accessible-name-and-description.mjs`]: [
    GIVEN,
    [/function getLabels\(element\) \{[\s\S]*?\n\}/, `import { labelsOf as getLabels } from ${OURS};`],
    [/hasAnyConcreteRoles\(node, \["button", "cell".*/, `hasNameTrait(node, 'n');`],
    [/^/, `import { hasNameTrait } from ${OURS};\n`],
    [
      /if \(current\.hasAttribute[\s\S]*?return (.*"value"\)) \|\|/,
      'return current.getAttribute("aria-valuetext") ?? current.getAttribute("aria-valuenow") ?? $1 ??',
    ],
    [/options\.(?:compute|hidden)(?=,)/g, 'undefined'],
    [/options\.computedStyleSupportsPseudoElements(?=,)/, 'true'],
    [/_options\$getComputedS === void 0 \? .* : /, ''],
    [/var \w+ = ArrayFrom\(node\.childNodes\);\n.*\n.*var (\w+) = .*/g, 'for (var $1 of node.childNodes) {'],
    [/var window = safeWindow\(root\);/, ''],
    [/ \|\| querySelectorAllSubtree\(listbox, "\[selected\]"\)/, ''],
    [/switch \(role\) \{\n.*\n(.*)\n[\s\S]*?\n {2}\}/, '$1'],
    [/function getComputedStyle\(el, pseudoElement\) \{[\s\S]*?\n {2}\};/, 'uncachedGetComputedStyle;'],
    [/typeof Map === "undefined" \? undefined : new Map\(\)/, '0'],
  ],
};

/** Saves a twentieth of the script and computes the same names faster; for every bundle with page code. */
export function leanLibraries(): Plugin {
  return {
    name: 'lean-libraries',
    load: (id) => STANDINS[partOf(id)],
    transform(code, id) {
      return EDITS[partOf(id)]?.reduce((text, [what, instead]) => {
        if (text.search(what) < 0) throw new Error(`${partOf(id)} has no ${what} any more: see EDITS.`);
        return text.replace(what, instead);
      }, code);
    },
  };
}

function partOf(id: string): string {
  return id.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? '';
}
