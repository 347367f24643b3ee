import { expect, test } from 'vitest';
import { signedPanels } from './panel-signature.ts';

const panel = (id: string, target_id = `t-${id}`) => ({
  endpoint: 'http://127.0.0.1:9223',
  target_id,
  url: `vscode-webview://x/index.html?id=${id}&parentId=1&extensionId=Anthropic.claude-code`,
  title: 'garden',
});
const known = (signature: string) => ({ signature, workspace: '/garden', title: null });
const signaturesOf = (...args: Parameters<typeof signedPanels>) =>
  signedPanels(...args).map(({ signature }) => signature);

test('[CHT-124] identifies a panel by its address, not by its target', () => {
  expect(signaturesOf('claude', [panel('a', 't1')], [])).toEqual(['cdp:claude:a']);
  expect(signaturesOf('claude', [panel('a', 't2')], [known('cdp:claude:a')])).toEqual(['cdp:claude:a']);
});

test('[CHT-124] matches the one lost panel to the one new panel after a restart of the editor', () => {
  const before = [known('cdp:claude:a'), known('cdp:claude:b')];
  expect(signaturesOf('claude', [panel('a'), panel('c')], before)).toEqual(['cdp:claude:a', 'cdp:claude:b']);
});

test('guesses nothing when several panels match, and keeps agents apart', () => {
  const before = [known('cdp:claude:a'), known('cdp:claude:b')];
  expect(signaturesOf('claude', [panel('c')], before)).toEqual(['cdp:claude:c']);
  expect(signaturesOf('claude', [panel('c')], [known('cdp:codex:a')])).toEqual(['cdp:claude:c']);
});

test('tells two panels with the same name apart', () => {
  expect(signaturesOf('claude', [panel('a', 't1'), panel('a', 't2')], [])).toEqual([
    'cdp:claude:a',
    'cdp:claude:a#2',
  ]);
});
