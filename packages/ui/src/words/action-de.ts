import type { StepWords } from '@drawbridge/protocol/sentences';

const PLACES: Readonly<Record<string, string>> = {
  up: 'Nach oben',
  down: 'Nach unten',
  left: 'Nach links',
  right: 'Nach rechts',
  top: 'Zum Anfang',
  bottom: 'Zum Ende',
};

const placeOf = (place: string): string => PLACES[place] ?? 'Nach unten';

export const actionDe: StepWords = {
  named: (subject) => `„${subject}“`,
  numbered: (id) => `Element ${id}`,
  isPlace: (text) => Object.hasOwn(PLACES, text),
  other: (name, thing) => `„${name}“ ausführen${thing === '' ? '' : ` mit ${thing}`}`,
  does: {
    click: (thing) => `${thing} drücken`,
    setValue: (thing, text) => `„${text}“ in ${thing} schreiben`,
    select: (thing, option) => `„${option}“ in ${thing} wählen`,
    check: (thing) => `${thing} ankreuzen`,
    uncheck: (thing) => `Kreuz bei ${thing} entfernen`,
    press: (thing, keys) => `Taste ${keys} in ${thing} drücken`,
    pressKey: (_, __, keys) => `Taste ${keys} drücken`,
    hover: (thing) => `Auf ${thing} zeigen`,
    navigate: (_, __, url) => `${url} öffnen`,
    back: () => 'Zurückgehen',
    wait: (_, __, text) => (text === '' ? 'Warten, bis die Seite ruht' : `Auf „${text}“ warten`),
    pause: (_, __, seconds) => `${seconds} s warten`,
    call: (tool, input) => `${tool} benutzen${input === '' ? '' : `: ${input}`}`,
    scroll: (_, __, place) => `${placeOf(place)} blättern`,
    scrollTo: (thing, place) =>
      place === '' ? `Zu ${thing} blättern` : `${placeOf(place)} blättern in ${thing}`,
    finish: (_, __, text) => (text === '' ? 'Abschließen' : `Abschließen: ${text}`),
    fail: (_, __, text) => (text === '' ? 'Aufgeben' : `Aufgeben: ${text}`),
  },
};
