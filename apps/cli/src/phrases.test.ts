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

/** Guides of the README's table, and what says what a word of ours is. */
const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const GUIDES = [...new Set(README.match(/(?<=\]\()docs\/[\w/-]+\.md(?=\))/g))].filter(
  (page) => !/reference|dependencies|first-hour|compare|differences|scale/.test(page),
);
const EXPLAINED: Readonly<Record<string, RegExp>> = {
  relay: /the server|the servers/,
  proxy: /a program|the program|coding agents|forwards/,
  runtime: /a browser|lends/,
  map: /a file|write-a-map\.md|maps\/shop/,
  ledger: /stores?\b|stored/,
  grant: /a permission/,
};

test.each(GUIDES)('%s explains our words where it first uses them', (page) => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const paragraphs = text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .split(/\n\s*\n/)
    .filter((paragraph) => !paragraph.startsWith('#'));
  for (const [word, explained] of Object.entries(EXPLAINED)) {
    const first = paragraphs.find((paragraph) =>
      new RegExp(`(?<![\\w/.-])${word}s?(?![\\w/.])`, 'i').test(paragraph),
    );
    expect(first === undefined || explained.test(first), `${word}: ${first}`).toBe(true);
  }
});
