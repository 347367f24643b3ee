/**
 * Verbs that begin a request, English and German, as regular expressions for whole words. A longer phrase
 * precedes its prefix.
 */
const VERBS = {
  back: ['go back(?: to the (?:last|previous) page)?', 'geh(?:e)? zurück'],
  open: [
    'go (?:back )?to',
    'open(?: up)?',
    'visit',
    'navigate to',
    'browse to',
    'take me to',
    'switch to',
    'show me',
    'öffne',
    'geh(?:e)? (?:zur?|zum|auf|in)',
    'zeig(?:e)?(?: mir)?',
    'besuche',
    'wechs(?:le|el) (?:zur?|zum)',
  ],
  press: [
    'click(?: on)?',
    'press(?: on)?',
    'tap(?: on)?',
    'hit',
    'push',
    'klick(?:e)?(?: auf)?',
    'drück(?:e)?(?: auf)?',
    'tipp(?:e)? auf',
  ],
  search: [
    'search (?:for|on|the [\\p{L} ]+? for|[\\p{L}.]+ for)',
    'search',
    'look (?:for|up)',
    'find(?: me)?',
    'such(?:e)?(?: nach)?',
    'finde',
  ],
  fill: ['fill(?: in| out| up)?', 'complete', 'füll(?:e)?'],
  type: ['type(?: in)?', 'enter', 'write', 'input', 'schreib(?:e)?', 'tipp(?:e)?', 'gib'],
  set: ['set', 'change', 'änder(?:e|n)', 'setz(?:e)?', 'stell(?:e)?'],
  untick: ['uncheck', 'untick', 'deselect', 'disable', 'turn off', 'switch off', 'deaktiviere'],
  tick: ['check(?! ?out)', 'tick(?: off)?', 'enable', 'turn on', 'switch on', 'hak(?:e)?', 'aktiviere'],
  choose: ['choose', 'select', 'pick', 'wähl(?:e)?'],
  submit: [
    'submit(?: (?:it|the form|this form|this))?$',
    'send (?:it|the form)(?: off)?$',
    'press enter$',
    'hit enter$',
    '(?:und )?absenden$',
    '(?:schick|send)(?:e)? (?:es|das formular) ab$',
  ],
  scroll: ['scroll(?:e)?'],
  login: ['log (?:me )?in', 'sign (?:me )?in', 'login', 'melde mich an', 'anmelden'],
  logout: ['log (?:me )?out', 'sign (?:me )?out', 'logout', 'melde mich ab', 'abmelden'],
  put: ['add', 'put', 'leg(?:e)?', 'pack(?:e)?'],
  read: [
    "what(?:’s|'s| is| are)",
    'how much (?:is|are|does|do)',
    'how many',
    'tell me',
    'read(?: me| out)?',
    'which',
    'who',
    'where am i',
    'was (?:ist|kostet|kosten|steht)',
    'wie ?viel(?:e)?(?: kostet| kosten)?',
    'wie (?:heißt|lautet)',
  ],
} as const;

export type Verb = keyof typeof VERBS;

/** Submit before press ("press enter"), untick before tick, read last. */
const ORDER: readonly Verb[] = [
  'submit',
  'back',
  'login',
  'logout',
  'open',
  'press',
  'search',
  'fill',
  'type',
  'set',
  'untick',
  'tick',
  'choose',
  'scroll',
  'put',
  'read',
];

const PATTERNS = ORDER.map((verb): readonly [Verb, RegExp] => [
  verb,
  new RegExp(`^(?:${VERBS[verb].join('|')})(?![\\p{L}\\p{N}])`, 'iu'),
]);

/** The verb of a clause, and the rest. */
export function verbOf(
  clause: string,
): { readonly verb: Verb; readonly said: string; readonly rest: string } | undefined {
  for (const [verb, pattern] of PATTERNS) {
    const said = pattern.exec(clause)?.[0];
    if (said !== undefined) return { verb, said: said.toLowerCase(), rest: clause.slice(said.length).trim() };
  }
  return undefined;
}

/** Verbs that name buttons: they begin a clause too, and match whatever the page offers. */
const NAMED_VERBS =
  'save|pay|buy|send|delete|remove|cancel|close|confirm|accept|reject|continue|download|print|share|subscribe|book|order|place|check ?out|proceed|move|submit|reserve|register|sign up|dismiss|entferne|lösche|speichere|bezahle|kaufe|bestelle|schließe';
/** Verbs that need a model. */
const THINKING_VERBS =
  'compare|summari[sz]e|explain|translate|recommend|suggest|decide|make|figure out|vergleiche|übersetze|erkläre';

const NAMED = new RegExp(`^(?:${NAMED_VERBS}|${THINKING_VERBS})(?![\\p{L}\\p{N}])`, 'iu');

export const beginsClause = (text: string): boolean => verbOf(text) !== undefined || NAMED.test(text);
