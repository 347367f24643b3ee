import { join } from 'node:path';
import { openPage } from '@drawbridge/testbed';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { NAME_CASES } from '../../test/perceive/name-cases.ts';
import { leanLibraries } from '../bundle/lean-libraries.ts';
import type * as names from './text-alternative.ts';

declare global {
  var leanNames: typeof names;
  var wholeNames: typeof names;
}

async function namesBundle(name: 'leanNames' | 'wholeNames'): Promise<string> {
  const input = join(import.meta.dirname, 'text-alternative.ts');
  const plugins = name === 'leanNames' ? [leanLibraries()] : [];
  const build = await rolldown({ input, platform: 'browser', tsconfig: false, plugins });
  const { output } = await build.generate({ format: 'iife', name });
  await build.close();
  return output[0].code;
}

const STYLES = `<style>.none { display: none } .unseen { visibility: hidden } .apart { display: inline-block }
  .row { display: flex } .mark::before { content: "»" } .end::after { content: " new " } .empty::before { content: "" }
  .glyph::after { content: "\\e001" }</style>`;

const attributes = fc
  .subarray([
    'class=none',
    'class=unseen',
    'class=apart',
    'class=row',
    'class=mark',
    'class=end',
    'class=empty',
    'class=glyph',
    'hidden',
    'aria-hidden=true',
    'aria-hidden=false',
    'title=Tip',
    'aria-label="Said so"',
    'aria-label=" "',
    'aria-labelledby=other',
    'contenteditable',
    'role=img',
    'role=presentation',
    'id=own',
  ])
  // At most one for most of them, or hardly any would be plain.
  .map((all) => (all.length > 9 ? '' : (all[0] ?? '')));
const text = fc.constantFrom('Buy', ' now', 'a ', ' ', '\n', '3', '·', 'Tom &amp; Co', '<br>', '<!-- x -->');
const picture = fc.constantFrom(
  '<img alt="A lamp">',
  '<img alt="">',
  '<img>',
  '<img title="Tip">',
  '<svg><path d="M0 0"/></svg>',
  '<svg><title>Trash</title></svg>',
  '<svg><text>12</text></svg>',
  '<svg aria-hidden="true"><title>x</title></svg>',
  '<input value="typed">',
  '<select><option>one</select>',
  '<my-icon>star</my-icon>',
);
const { content } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom('span', 'b', 'div', 'p', 'em', 'i', 'time', 'h3', 'small'),
      attributes,
      tie('content'),
    )
    .map(([tag, given, inside]) => `<${tag} ${given}>${inside}</${tag}>`),
  content: fc
    .array(fc.oneof({ maxDepth: 3 }, text, picture, tie('element')), { maxLength: 4 })
    .map((parts) => parts.join('')),
}));
const presser = fc
  .tuple(
    fc.constantFrom('a href=x', 'a', 'button', 'h2', 'div role=button', 'span role=tab', 'div role=menuitem'),
    attributes,
    content,
  )
  .map(([tag, given, inside]) => `<${tag} ${given} data-case>${inside}</${tag.split(' ')[0]}>`);
const field = fc.constantFrom(
  '<input',
  '<input type=checkbox',
  '<input type=submit value=Send',
  '<input type=password value=hunter2',
  '<input title=Tip',
  '<textarea',
  '<select',
);
const labelled = fc
  .tuple(field, attributes, attributes, content, fc.boolean())
  .map(([tag, given, labelled, inside, around]) => {
    const closed = /^<(?:textarea|select)/.test(tag) ? `</${tag.slice(1)}>` : '';
    const id = 'id=ID data-case';
    return around
      ? `<label ${labelled}>${inside}${tag} ${given} ${id}>${closed}</label>`
      : `<label for=ID ${labelled}>${inside}</label>${tag} ${id} ${given}>${closed}`;
  });
const root = fc.oneof(presser, labelled);

/** The library reads only the first lower-case role, and accepts `presentation` on a pressable element. */
const MISREAD_ROLES = /^(?:nonsense.*|BUTTON|none|presentation)$/;

test('[INT-221] gives the same name as the unmodified library', async () => {
  await using opened = await openPage();
  const samples = fc.sample(root, { numRuns: 4000, seed: 20 });
  const trees = samples.map((html, index) => html.replaceAll('=ID', `=own-${index}`));
  const cases = NAME_CASES.map(({ html }) => html.replaceAll('id="t"', 'id="t" data-case'));
  await opened.page.setContent(
    `<!doctype html>${STYLES}<i id="other">Other</i>${[...cases, ...trees].map((html) => `<section>${html}</section>`).join('')}`,
  );
  await opened.page.evaluate(await namesBundle('leanNames'));
  await opened.page.evaluate(await namesBundle('wholeNames'));
  const names = await opened.page.evaluate(() =>
    [...document.querySelectorAll('[data-case]')].map((element) => ({
      html: element.outerHTML,
      role: element.getAttribute('role') ?? '',
      lean: leanNames.textAlternative(element),
      whole: wholeNames.textAlternative(element),
    })),
  );
  const comparable = names.filter(({ role }) => !MISREAD_ROLES.test(role));
  expect(comparable.filter(({ lean, whole }) => lean !== whole)).toEqual([]);
  expect(comparable.filter(({ lean }) => lean !== '').length).toBeGreaterThan(1000);
});
