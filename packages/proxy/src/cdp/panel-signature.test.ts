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

test('[CHT-124] a panel is known by what its address says of it, not by its target', () => {
  expect(signaturesOf('claude', [panel('a', 't1')], [])).toEqual(['cdp:claude:a']);
  expect(signaturesOf('claude', [panel('a', 't2')], [known('cdp:claude:a')])).toEqual(['cdp:claude:a']);
});

test('[CHT-124] after a restart of the editor the one that is lost is the one that is new', () => {
  const before = [known('cdp:claude:a'), known('cdp:claude:b')];
  expect(signaturesOf('claude', [panel('a'), panel('c')], before)).toEqual(['cdp:claude:a', 'cdp:claude:b']);
});

test('where several could be meant none is guessed, and agents do not mix', () => {
  const before = [known('cdp:claude:a'), known('cdp:claude:b')];
  expect(signaturesOf('claude', [panel('c')], before)).toEqual(['cdp:claude:c']);
  expect(signaturesOf('claude', [panel('c')], [known('cdp:codex:a')])).toEqual(['cdp:claude:c']);
});

test('two panels that call themselves the same are told apart', () => {
  expect(signaturesOf('claude', [panel('a', 't1'), panel('a', 't2')], [])).toEqual([
    'cdp:claude:a',
    'cdp:claude:a#2',
  ]);
});
