import { BridgeError } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { personError, whyFor, workerWords } from './worker-words.ts';

test('the worker speaks the language of the settings, or that of the browser', () => {
  expect(workerWords('de', 'en-GB')).toBe(de);
  expect(workerWords('en', 'de-DE')).toBe(en);
  expect(workerWords('auto', 'de-AT')).toBe(de);
  expect(workerWords('auto', 'fr')).toBe(en);
});

test('an error is said to a person in their language, and stands in a log in English', () => {
  const error = personError('transport_failed', 'relay_away', 'http://127.0.0.1:7717');
  expect(error.message).toBe(whyFor(en, error));
  expect(whyFor(de, error)).toBe(
    'Bei http://127.0.0.1:7717 antwortet niemand. Starte dort das Relay, oder prüfe das Netz.',
  );
  for (const [reason, says] of Object.entries(de.why)) {
    const inGerman = whyFor(de, new BridgeError('handler_failed', 'In English.', { evidence: { reason } }));
    expect(inGerman, reason).toBe(says(''));
    expect(Object.values(en.why).map((each) => each(''))).not.toContain(inGerman);
  }
});

test('what is meant for an agent is said otherwise to the person; what has no words stays as it is', () => {
  const evidence = { reason: 'site_not_allowed', error_page: true };
  const forAgents = new BridgeError('runtime_not_ready', 'Navigate it elsewhere.', { evidence });
  expect(whyFor(de, forAgents)).toBe(de.why.error_page());
  expect(whyFor(de, new BridgeError('task_busy', 'One at a time.'))).toBe(de.why.task_busy());
  expect(whyFor(de, new BridgeError('unauthorized', 'The link was used.'))).toBe('The link was used.');
  expect(whyFor(de, new Error('No tab with id: 7.'))).toBe('No tab with id: 7.');
});
