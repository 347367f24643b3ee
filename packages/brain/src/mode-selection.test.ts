import { expect, test } from 'vitest';
import { needsScreenshot, selectDomMode } from './mode-selection.ts';

test.each([
  ['[INT-110] [INT-114] click the gear icon on the right', 'hybrid'],
  ["[INT-117] what's the price of the red item", 'hybrid'],
  ['[INT-110] Open the LAST message', 'hybrid'],
  ['[INT-117] open the thumbnail', 'hybrid'],
  ['[INT-112] click the Search button', 'skeleton'],
  ['[INT-114] stop the download', 'skeleton'],
  ['[INT-113] buy tea', 'skeleton'],
])('%s: %s', (query, mode) => {
  expect(selectDomMode(query.replace(/^(\[INT-\d+\] )+/, ''))).toBe(mode);
});

test('[INT-111] [INT-113] captures a page with very many elements as hybrid', () => {
  const modeOf = (interactiveElements: number) => selectDomMode('submit', { interactiveElements });
  expect([20, 50, 51].map(modeOf)).toEqual(['skeleton', 'skeleton', 'hybrid']);
  const rich = { interactiveElements: 5, hasMuchVisualContent: true, hasComplexStructure: true };
  expect(selectDomMode('submit', rich)).toBe('hybrid');
  expect(selectDomMode('submit', { ...rich, hasComplexStructure: false })).toBe('skeleton');
});

test('tells visual requests from positional ones', () => {
  expect(['press the blue button', 'what colour is it?', 'the shop logo'].map(needsScreenshot)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['open the first result', 'buy green tea', 'type my name'].map(needsScreenshot)).toEqual([
    false,
    false,
    false,
  ]);
});
