import type { Words } from './en.ts';

export const dictationDe: Words['dictation'] = {
  button: 'Diktieren',
  title: 'Sprechen statt tippen?',
  says: 'Dein Browser macht aus dem, was du sagst, Text. Vielleicht schickt er die Aufnahme an seinen Hersteller: Chrome an Google, Safari an Apple. Drawbridge bekommt nur den Text.',
  begin: 'Diktat beginnen',
  listens: 'Hört zu. Der Knopf oder Escape beendet es.',
  problems: {
    'not-allowed':
      'Diese Seite darf das Mikrofon nicht benutzen. Erlaube es in den Einstellungen des Browsers für diese Seite.',
    'service-not-allowed': 'Dieser Browser erlaubt hier kein Diktat. Nimm das deiner Tastatur.',
    'audio-capture': 'Kein Mikrofon gefunden. Schließ eines an und versuch es noch einmal.',
    'no-speech': 'Nichts gehört. Versuch es noch einmal.',
    network: 'Der Sprachdienst des Browsers antwortete nicht. Versuch es noch einmal, oder tippe.',
    'language-not-supported': 'Dieser Browser nimmt in dieser Sprache kein Diktat auf.',
    other: 'Das Diktat endete mit einem Fehler. Versuch es noch einmal, oder tippe.',
  },
};
