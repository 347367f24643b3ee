import { readFileSync } from 'node:fs';
import { en } from '@drawbridge/ui/model';
import { describe, expect, test } from 'vitest';
import { drawbridge, terminalOf } from '../test/terminal.ts';
import { linkLines } from './demo/welcome.ts';
import { haltLines } from './relay/halt.ts';
import { invitationLines } from './relay/invitation-words.ts';
import { lentBrowserText, NO_SCREEN } from './relay/relay-browser.ts';
import { deleteQuestion } from './relay/sessions-words.ts';

const { terminal } = terminalOf('');

describe('says the phrases of the first hour', () => {
  const idle = ['codex', 'claude', 'gemini'].map((name) => ({ session_id: name, name }));
  const invitation = { pair_url: 'http://127.0.0.1:7717/#pair=x', expires_at: 0, reachable: false };
  test.each<readonly [phrase: string | RegExp, shown: () => string | Promise<string>]>([
    ['This can’t be undone.', () => en.prompt.undone],
    ['This can’t be undone.', () => deleteQuestion({ name: 'Shopping', events: 2 })],
    ['No sessions yet', () => en.list.emptyTitle],
    ['\nBrowser and tasks\n', async () => (await drawbridge([])).text],
    ['Name (optional)', () => en.devices.nameOptional],
    ['Name (optional)', () => en.launch.name],
    ['On a phone, with a QR code:', () => linkLines('http://127.0.0.1:7717/#pair=x').join('\n')],
    [
      'Agents can use a headless browser (no screen found).',
      () => lentBrowserText({ headless: true, hasExtension: false, why: NO_SCREEN }),
    ],
    [
      '\n3 agents were idle.',
      () => haltLines({ interrupted: [], idle, failed: [], calls_cancelled: 0 }).join('\n'),
    ],
    [
      /^Open this link in a browser to pair it \(works once, until \d\d:\d\d\):$/m,
      () => invitationLines(invitation, terminal).join('\n'),
    ],
  ])('%s', async (phrase, shown) => {
    const text = await shown();
    if (typeof phrase === 'string') expect(text).toContain(phrase);
    else expect(text).toMatch(phrase);
  });
});

test('explains each word of ours where a newcomer first meets it, or does not use it', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const firstOf = (word: string): string => {
    const at = readme.search(new RegExp(`\\b${word}s?\\b`, 'i'));
    return at < 0 ? '' : readme.slice(Math.max(0, at - 1));
  };
  expect(firstOf('relay').slice(0, 150)).toContain('The *relay* is');
  expect(firstOf('proxy')).toMatch(/^\*proxy\*/);
  expect(firstOf('map')).toMatch(/^\*map\*/);
  expect(['runtime', 'ledger', 'grant'].map(firstOf)).toEqual(['', '', '']);
  expect(en.pair.says).toMatch(/^The relay is /);
  const overview = (await drawbridge([])).text;
  for (const word of ['relay', 'proxy', 'map', 'ledger'])
    expect(overview).toMatch(new RegExp(`^ {2}${word} {2,}\\S`, 'm'));
  const help = (await drawbridge(['pair', '--help'])).text;
  expect(help).toContain('The relay is the program');
  for (const word of ['proxy', 'runtime']) expect(help).toMatch(new RegExp(`${word} +a program: `));
});

test('a help text ends with the words of ours that it uses, and does not explain itself', async () => {
  const wordsOf = async (...command: string[]) =>
    (await drawbridge([...command, '--help'])).text.split('\nWords:\n')[1]?.match(/^ {2}\w+(?= {2})/gm);
  expect(await wordsOf('backup')).toEqual(['  relay', '  map', '  ledger']);
  expect(await wordsOf('ledger')).toEqual(['  ledger']);
  expect(await wordsOf('pair')).toBeUndefined();
  expect(await wordsOf('up')).toEqual(['  relay', '  map']);
  expect(await wordsOf('demo')).toBeUndefined();
});

/** Guides of the README's table, and what says what a word of ours is. */
const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const GUIDES = [...new Set(README.match(/(?<=\]\()docs\/[\w/-]+\.md(?=\))/g))].filter(
  (page) => !/reference|dependencies|first-hour|compare|differences|scale/.test(page),
);
/** Text after a word of ours at its first use: an apposition, a definition or a link to its page. */
const EXPLAINED: Readonly<Record<string, RegExp>> = {
  relay: /^relays?\*?(?:, | \(| is )the servers?\b/i,
  proxy:
    /^prox(?:y|ies)\*?(?:(?:, | \(| is )(?:a|the) (?:program|server)|,? (?:which|that) (?:starts?|reads)| \(connects a machine's| between them\. +runs on)/i,
  runtime: /^runtimes?\*?(?:, which lends| \(a browser)/i,
  map: /^maps?\*?(?:\]\(|(?:,| is) a file| says what| \(\[how)/i,
  ledger: /^ledgers?\*?(?:, (?:which|where|the store)| is the store)/i,
  grant: /^grants?\*? is a permission/i,
};

test.each(GUIDES)('%s explains our words where it first uses them', (page) => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/\s+/g, ' ');
  for (const [word, explained] of Object.entries(EXPLAINED)) {
    const forms = word.replace(/y$/, '(?:y|ie)');
    const at = text.search(new RegExp(`(?<![\\w/.-])${forms}s?(?![\\w/.])`, 'i'));
    if (at >= 0) expect(text.slice(at, at + 120)).toMatch(explained);
  }
});

/** Names that the agent gives, and a button without words. */
const NOT_OURS = ['+', 'Scripted agent', 'Allow'];

const textsIn = (words: unknown): readonly string[] => {
  if (typeof words === 'string') return [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(textsIn) : [];
};

test('steer.md names buttons as the web app does', () => {
  const page = readFileSync(new URL('../../../docs/agents/steer.md', import.meta.url), 'utf8');
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`]*`/g, '');
  const marked = [...prose.matchAll(/(?<![*\w])(\*{1,2})(?! )([^*]+?)\1(?![*\w])/g)];
  const names = marked.map(([, , name = '']) => name.replaceAll(/\s+/g, ' '));
  const known = new Set([...textsIn(en), ...NOT_OURS]);
  expect(names.length).toBeGreaterThan(10);
  // A whole sentence is emphasis.
  expect(names.filter((name) => !name.endsWith('.') && !known.has(name))).toEqual([]);
});
