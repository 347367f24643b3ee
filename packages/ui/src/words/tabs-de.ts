import type { Words } from './en.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const tabsDe: Words['tabs'] = {
  title: 'Tabs',
  says: 'Browser-Tabs, die Agenten geliehen sind, und was sie dort ohne zu fragen dürfen.',
  empty:
    'Kein Tab ist verliehen. Verleih einen mit der Erweiterung, oder lass eine Aufgabe einen Browser starten.',
  liveness: { awake: 'verbunden', quiet: 'seit einer Weile kein Kontakt' },
  unreachable: 'Die Seite ließ sich nicht öffnen',
  watch: 'Zusehen',
  unwatch: 'Nicht mehr zusehen',
  looking: 'Wartet auf ein Bild…',
  picture: (title) => `${title}, wie es jetzt aussieht`,
  ended: {
    denied: 'Dem Tab darf nicht zugesehen werden.',
    unsupported: 'Dieser Browser schickt keine Bilder.',
    gone: 'Der Tab ist weg.',
    failed: 'Es kam kein Bild. Sieh erneut zu, um es noch einmal zu versuchen.',
    stopping: 'Das Relay hält an.',
    lost: 'Die Verbindung brach ab. Neuer Versuch…',
  },
  grants: 'Ohne Rückfrage erlaubt',
  noGrants: 'Nichts: es fragt jedes Mal.',
  effects: { read: 'Lesen', act: 'Handeln', irreversible: 'Tun, was sich nicht rückgängig machen lässt' },
  anything: 'alles',
  forms: 'gewöhnliche Formulare senden',
  inspect: 'Entwicklerwerkzeuge benutzen',
  anywhere: 'auf jeder Seite in diesem Tab',
  givenBy: (who) => `gegeben von ${who}`,
  until: (time) => `bis ${time}`,
  revoke: 'Widerrufen',
  revokeAll: 'Alle widerrufen',
  giveBack: 'Agenten hier lesen und handeln lassen',
  in: (browser) => `im Browser „${browser}“`,
  maps: 'Karten',
  mapsSay:
    'Eine Karte beschreibt eine Website: Werkzeuge für ihre Seiten und Prüfungen, die merken, wenn sich eine Seite ändert.',
  noMaps: 'Keine Karte für diese Tabs. Agenten lesen die Seiten direkt.',
  version: (number) => `Fassung ${number}`,
  tools: (count) => plural(count, 'Werkzeug', 'Werkzeuge'),
  checks: (count) => plural(count, 'Prüfung', 'Prüfungen'),
  fits: 'Die Seite passt zu ihrer Karte',
  drifted: 'Die Seite hat sich geändert',
  check: 'Jetzt prüfen',
  checking: 'Prüfe…',
  found: {
    pass: 'bestanden',
    fail: 'nicht bestanden',
    skipped: 'für eine andere Seite',
    error: 'war nicht zu prüfen',
  },
};
