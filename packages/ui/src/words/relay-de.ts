/** German for sentences that the relay writes into a conversation (`relay/threads`). Others stay as they are. */

type Says = (thing: string) => string;

const VERBS: Readonly<Record<string, Says>> = {
  'Presses twice': (thing) => `Drückt ${thing} doppelt`,
  'Pressed twice': (thing) => `Hat ${thing} doppelt gedrückt`,
  'Presses keys in': (thing) => `Drückt Tasten in ${thing}`,
  'Pressed keys in': (thing) => `Hat Tasten in ${thing} gedrückt`,
  Presses: (thing) => `Drückt ${thing}`,
  Pressed: (thing) => `Hat ${thing} gedrückt`,
  'Points at': (thing) => `Zeigt auf ${thing}`,
  'Pointed at': (thing) => `Hat auf ${thing} gezeigt`,
  'Goes to': (thing) => `Geht zu ${thing}`,
  'Went to': (thing) => `Ist zu ${thing} gegangen`,
  'Fills in': (thing) => `Füllt ${thing} aus`,
  'Filled in': (thing) => `Hat ${thing} ausgefüllt`,
  'Types into': (thing) => `Tippt in ${thing}`,
  'Typed into': (thing) => `Hat in ${thing} getippt`,
  'Chooses an option in': (thing) => `Wählt in ${thing} aus`,
  'Chose an option in': (thing) => `Hat in ${thing} ausgewählt`,
  Ticks: (thing) => `Kreuzt ${thing} an`,
  Ticked: (thing) => `Hat ${thing} angekreuzt`,
  Unticks: (thing) => `Entfernt den Haken bei ${thing}`,
  Unticked: (thing) => `Hat den Haken bei ${thing} entfernt`,
  'Gives a file to': (thing) => `Lädt eine Datei bei ${thing} hoch`,
  'Gave a file to': (thing) => `Hat eine Datei bei ${thing} hochgeladen`,
  'Scrolls to': (thing) => `Blättert zu ${thing}`,
  'Scrolled to': (thing) => `Hat zu ${thing} geblättert`,
  Drags: (thing) => `Zieht ${thing}`,
  Dragged: (thing) => `Hat ${thing} gezogen`,
  Uses: (thing) => `Benutzt ${thing}`,
  Used: (thing) => `Hat ${thing} benutzt`,
  'Takes a picture of the page': () => 'Macht ein Bild der Seite',
  'Took a picture of the page': () => 'Hat ein Bild der Seite gemacht',
  'Opens another page': () => 'Öffnet eine andere Seite',
  'Opened another page': () => 'Hat eine andere Seite geöffnet',
  'Opens a tab': () => 'Öffnet einen Tab',
  'Opened a tab': () => 'Hat einen Tab geöffnet',
  'Closes a tab': () => 'Schließt einen Tab',
  'Closed a tab': () => 'Hat einen Tab geschlossen',
  'Answers a dialog of the page': () => 'Beantwortet einen Dialog der Seite',
  'Answered a dialog of the page': () => 'Hat einen Dialog der Seite beantwortet',
  'Runs a script in the page': () => 'Führt ein Skript in der Seite aus',
  'Ran a script in the page': () => 'Hat ein Skript in der Seite ausgeführt',
  'Waits for the page': () => 'Wartet auf die Seite',
  'Waited for the page': () => 'Hat auf die Seite gewartet',
  'Fetches a page': () => 'Lädt eine Seite',
  'Fetched a page': () => 'Hat eine Seite geladen',
  'Looks at the page': () => 'Sieht die Seite an',
  'Looked at the page': () => 'Hat die Seite angesehen',
};

const STEP = new RegExp(
  `^(Done: |Not done: |Waits until you give the browser back(?:, and then looks again first)?: )?(${Object.keys(VERBS).join('|')})` +
    '(?: (“[^”]*”|element \\S+?))?(?: at (\\S+?))?(?: on (\\S+?))?(…|\\.)(?= |$)',
);
const BEFORE: Readonly<Record<string, string>> = {
  'Done: ': 'Getan: ',
  'Not done: ': 'Nicht getan: ',
  'Waits until you give the browser back: ': 'Wartet, bis du den Browser zurückgibst: ',
  'Waits until you give the browser back, and then looks again first: ':
    'Wartet, bis du den Browser zurückgibst, und sieht dann zuerst wieder nach: ',
};
const AFTER: readonly (readonly [RegExp, string])[] = [
  [/^ Allowed by (.+?)\.(?= |$)/, ' Erlaubt von $1.'],
  [/^ Denied by (.+?)\.(?= |$)/, ' Abgelehnt von $1.'],
  [
    /^ The call was cut off, and may have been done\. Look at the tab\./,
    ' Der Aufruf wurde abgebrochen und ist vielleicht geschehen. Sieh im Tab nach.',
  ],
  [
    /^ The relay ended before the result was known\. Look at the tab\./,
    ' Das Relay endete, bevor das Ergebnis bekannt war. Sieh im Tab nach.',
  ],
  [
    /^ The page may have changed: the agent looks again first\./,
    ' Die Seite kann sich geändert haben: Der Agent sieht sie zuerst wieder an.',
  ],
  [/^([^“]*) Reason: “/, '$1 Grund: “'],
  // Before the first quoted text, which is the page's.
  [/^([^“]*) The page says: “/, '$1 Die Seite sagt: “'],
  [/^([^“]*) The page is now /, '$1 Die Seite ist jetzt '],
];
const TAKEOVER: readonly (readonly [RegExp, string])[] = [
  [/^(.+) took over the browser\. The agent waits\.$/, '$1 hat den Browser übernommen. Der Agent wartet.'],
  [/^(.+) gave the browser back\.$/, '$1 hat den Browser zurückgegeben.'],
];

export function relayDe(sentence: string): string {
  const [whole, before = '', verb = '', thing = '', url, host, end = ''] = STEP.exec(sentence) ?? [];
  if (whole === undefined) return replacedIn(sentence, TAKEOVER);
  const named = thing.replace(/^“(.*)”$/, '„$1“').replace(/^element /, 'Element ');
  const place = `${url === undefined ? '' : `, ${url}`}${host === undefined ? '' : `, auf ${host}`}`;
  const rest = replacedIn(sentence.slice(whole.length), AFTER);
  return `${BEFORE[before] ?? ''}${VERBS[verb]?.(named) ?? ''}${place}${end}${rest}`;
}

const replacedIn = (text: string, pairs: readonly (readonly [RegExp, string])[]): string =>
  pairs.reduce((told, [pattern, by]) => told.replace(pattern, by), text);
