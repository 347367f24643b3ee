import { quoted } from './intent.ts';
import { verbOf } from './verbs.ts';

const CAPTCHA = /captcha|(?:not|kein) (?:a |ein )?robot/iu;
const COLOURS =
  'red|blue|green|yellow|orange|purple|pink|black|white|grey|gray|brown|rote|blaue|grüne|gelbe|schwarze|weiße';
const SEEN = new RegExp(
  `\\b(?:${COLOURS})[rsn]?(?: colou?red)? (?:one|thing|button|link|icon|box|knopf|ding)\\b|\\blooks? like\\b|\\bcolou?r\\b|\\bfarbe\\b|\\bscreenshot\\b`,
  'iu',
);
const PERHAPS_SEEN = new RegExp(
  `\\b(?:${COLOURS})[rsn]?\\b|\\b(?:icon|picture|photo|image|logo|left|right|corner|above|below|bild|symbol)\\b`,
  'iu',
);
const JUDGED =
  /\b(?:cheapest|best|nicest|wherever|whatever|whichever|somewhere|something|anything|compare|recommend|summari[sz]e|summary|explain|translate|nicer|prettier|better|improve|optimi[sz]e|decide|figure out|suggest|why|plan|vergleich|vergleiche|empfiehl|günstigste[nrs]?|beste[nrs]?|schöner|zusammenfassen|übersetze)\b/iu;

const INSTEAD = 'set a model key, or say which button to press and what to write';

/** Verbs followed by names, which may contain any word. */
const TAKES_NAMES = new Set(['open', 'press', 'type', 'set', 'fill', 'choose', 'tick', 'untick', 'login']);

/** A clause that no page can satisfy: declined before anything is done. */
export function cannotBeAsked(clause: string): boolean {
  if (CAPTCHA.test(clause) || SEEN.test(clause)) return true;
  const found = verbOf(clause);
  if (found !== undefined && (TAKES_NAMES.has(found.verb) || found.said.startsWith('search'))) return false;
  return JUDGED.test(clause);
}

/** One sentence: the limit, and an alternative. */
export function whyNot(words: string): string {
  if (CAPTCHA.test(words)) return 'I cannot solve a captcha: solve it yourself, then ask me to go on.';
  if (SEEN.test(words))
    return 'I read the names of things and cannot see colours or pictures: name it by its text, or set a model key.';
  if (JUDGED.test(words)) return `${quoted(words)} takes judgement that plain rules do not have: ${INSTEAD}.`;
  return `I do not understand ${quoted(words)}: ${INSTEAD}.`;
}

/** The same for an element that was not found. */
export function notHere(name: string, captchaStands: boolean): string {
  if (captchaStands)
    return 'A captcha stands in the way, and only a person can solve it: solve it, then ask me again.';
  if (PERHAPS_SEEN.test(name))
    return `I see nothing called ${quoted(name)}, and I cannot see colours, pictures or places: name it by its text, or set a model key.`;
  return `I see nothing called ${quoted(name)} on this page: ${INSTEAD}.`;
}

export const isCaptcha = (name: string): boolean => CAPTCHA.test(name);
