import type { Words } from './en.ts';

export const startDe: Pick<Words, 'demo' | 'first' | 'help' | 'keys' | 'palette'> = {
  demo: {
    title: 'Demo',
    play: 'Demo abspielen',
    playing: 'Die Demo läuft',
    says: 'Ein Agent kauft in einem Demo-Laden eine Lampe und fragt dich, bevor er zahlt; dann wird ein Coding-Agent gesteuert. Keine drei Minuten, ohne Modell, ohne Geld.',
    empty:
      'Noch ist kein Agent verbunden. Sieh einem zu: Er kauft in einem Demo-Laden eine Lampe und fragt dich, bevor er zahlt.',
  },
  first: {
    title: 'Erste Schritte',
    says: (done, all) => `${done} von ${all} erledigt`,
    hide: 'Diese Schritte ausblenden',
    done: 'erledigt',
    browser: {
      title: 'Einen Browser verleihen',
      says: 'Agenten sehen und benutzen nur verliehene Tabs. npm start verleiht einen eigenen Browser; dein Chrome verleiht Tab für Tab, mit der Erweiterung.',
    },
    agent: {
      title: 'Einen Agenten verbinden',
      says: 'Starte hier einen Coding-Agenten, oder lass einen Agenten auf deinem Rechner den Browser benutzen: Führe das im Ordner seines Projekts aus.',
    },
    phone: {
      title: 'Ein weiteres Gerät hereinlassen',
      says: 'Antworte und steuere von deinem Handy oder einem anderen Rechner. Erstelle unter Geräte einen Link und öffne ihn dort.',
    },
    model: {
      title: 'Ein Modell für Aufgaben wählen',
      says: 'Ohne Modell gehen nur einfache Aufträge. Verbundene Agenten bringen ihr eigenes mit.',
    },
  },
  help: {
    title: 'Hilfe',
    open: 'Hilfe',
    words: [
      [
        'Relay',
        'der Server, den npm start ausführt. Er verbindet Agenten, Browser und dich und liefert diese Seite.',
      ],
      ['Sitzung', 'ein Gespräch mit einem Agenten: was er sagt und tut, und deine Antworten.'],
      [
        'Verliehener Tab',
        'ein Browser-Tab, in dem Agenten lesen und handeln dürfen. Vor Endgültigem wirst du gefragt.',
      ],
      [
        'Proxy',
        'ein Programm auf dem Rechner mit deinem Code. Es startet dort Coding-Agenten und verbindet sie.',
      ],
      ['Aufgabe', 'ein Satz, den ein Browser Schritt für Schritt ausführt.'],
      ['Karte', 'eine Beschreibung einer Website: was Agenten dort tun können, beim Namen.'],
    ],
    guides:
      'Alle Anleitungen (auf Englisch) sind im Ordner docs deiner Kopie von Drawbridge; README.md listet sie auf. Wenn etwas nicht stimmt, führe das aus:',
  },
  keys: {
    title: 'Tastenkürzel',
    decision: 'Zur wartenden Entscheidung',
    content: 'Zum Inhalt',
    announced: (count) =>
      count === 1 ? 'Ein Agent wartet auf deine Entscheidung.' : `${count} Entscheidungen warten auf dich.`,
    rows: {
      help: 'Diese Liste zeigen',
      palette: 'Suche und Befehle',
      search: 'Sitzungen und Nachrichten durchsuchen',
      decision: 'Zur wartenden Entscheidung',
      send: 'Nachricht senden; mit Umschalt eine neue Zeile beginnen',
      close: 'Dialog schließen',
    },
  },
  palette: {
    title: 'Befehle',
    placeholder: 'Zu einer Sitzung gehen oder etwas tun…',
    open: 'Suche und Befehle',
    none: 'Nichts gefunden.',
    go: (name) => `Gehe zu ${name}`,
  },
};
