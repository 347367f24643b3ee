import { expect, test } from 'vitest';
import { requireAllowedPath } from './selector-guard.ts';

test.each([
  './/p[2]',
  '//table//tr[td]/td[1]',
  "//li[.//a[@href='/x//y']]//span[contains(., 'In stock')]",
  './ancestor::form//label[following-sibling::input]',
  '//a[@title="[//]"]',
  'count(//li) > 3',
])('%s may be asked', (xpath) => {
  expect(() => requireAllowedPath(xpath)).not.toThrow();
});

test.each([
  ['conditions inside conditions', '//*[.//*[.//*[.//*]]]'],
  ['the whole page in a condition', '//*[//*]'],
  ['the whole page in a condition of a function', '//*[count(//*) > count( //a)]'],
  ['many looks in a condition', '//*[.//a or .//b or .//c]'],
  ['axes in conditions', '//*[following::*[preceding::*]]'],
  ['many looks one after another', '//a//b//c//d//e//f//g'],
])('a path with %s is refused before the browser evaluates it', (_, xpath) => {
  expect(() => requireAllowedPath(xpath)).toThrow(/page/);
});
