import { BridgeError } from '@drawbridge/protocol';
import { alikeIn } from '@drawbridge/ui/test/alike-words';
import { expect, test } from 'vitest';
import { de as panelDe } from '../../panel/words/de.ts';
import { en as panelEn } from '../../panel/words/en.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { personError, whyFor, workerWords } from './worker-words.ts';

test("uses the language of the settings, or the browser's", () => {
  expect(workerWords('de', 'en-GB')).toBe(de);
  expect(workerWords('en', 'de-DE')).toBe(en);
  expect(workerWords('auto', 'de-AT')).toBe(de);
  expect(workerWords('auto', 'fr')).toBe(en);
});

test("shows an error in the person's language, and logs it in English", () => {
  const error = personError('transport_failed', 'relay_away', 'http://127.0.0.1:7717');
  expect(error.message).toBe(whyFor(en, error));
  expect(whyFor(de, error)).toBe(
    'Keine Antwort von http://127.0.0.1:7717. Starte dort das Relay, oder prüfe das Netz.',
  );
  for (const [reason, says] of Object.entries(de.why)) {
    const inGerman = whyFor(de, new BridgeError('handler_failed', 'In English.', { evidence: { reason } }));
    expect(inGerman, reason).toBe(says(''));
    expect(Object.values(en.why).map((each) => each(''))).not.toContain(inGerman);
  }
});

test('rewords errors meant for agents; shows errors without a text as they are', () => {
  const evidence = { reason: 'site_not_allowed', error_page: true };
  const forAgents = new BridgeError('runtime_not_ready', 'Navigate it elsewhere.', { evidence });
  expect(whyFor(de, forAgents)).toBe(de.why.error_page());
  expect(whyFor(de, new BridgeError('task_busy', 'One at a time.'))).toBe(de.why.task_busy());
  expect(whyFor(de, new BridgeError('unauthorized', 'The link was used.'))).toBe('The link was used.');
  expect(whyFor(de, new Error('No tab with id: 7.'))).toBe('No tab with id: 7.');
});

test('German leaves nothing in English, in the panel and in the worker', () => {
  expect(alikeIn(en, de)).toEqual([]);
  expect(alikeIn(panelEn, panelDe)).toEqual([
    ...[
      'link.live',
      'link.offline',
      'link.relay',
      'task.seconds',
      'task.minutes',
      'plan.title',
      'turn.agent',
    ],
    ...['sessions.name', 'options.pairing', 'options.themes.system'],
  ]);
});

test('no text has a word of ours that the extension never explains', () => {
  const texts = JSON.stringify([panelEn, en], (_, value) =>
    typeof value === 'function'
      ? String(value)
          .replaceAll(/\$\{[^}]*\}/g, '')
          .match(/['`].*['`]/s)?.[0]
      : value,
  );
  const prose = texts.replaceAll(/"\w+":/g, '');
  expect(prose.match(/\b(?:proxy|proxies|runtimes?|ledgers?|grants?)\b/gi)).toBeNull();
});
