import type { WorkerWords } from './en.ts';

export const de: WorkerWords = {
  lend: 'Diesen Tab an Drawbridge verleihen',
  takeBack: 'Diesen Tab von Drawbridge zurücknehmen',
  menu: 'Diesen Tab an Drawbridge verleihen oder zurücknehmen',
  why: {
    not_seen: () =>
      'Drücke auf diesem Tab den Drawbridge-Knopf in der Leiste von Chrome: Vorher zeigt Chrome ihn nicht.',
    browser_page: () => 'Nur Seiten des Webs lassen sich verleihen, nicht die des Browsers selbst.',
    web_store: () => 'In den Web Store lässt Chrome keine Erweiterung.',
    control_plane: () =>
      'Das ist dein Relay selbst. Es lässt sich nicht verleihen: Ein Agent könnte dort seine eigenen Fragen beantworten.',
    site_not_allowed: () =>
      'Chrome lässt Drawbridge nicht auf diese Seite. Drücke dort den Knopf in der Leiste von Chrome.',
    error_page: () =>
      'Der Tab zeigt eine Fehlerseite des Browsers. Geh woandershin, oder versuche es noch einmal.',
    site_rule: (at) => `Deine Regel für ${at} verbietet das. Ändere sie in den Optionen.`,
    no_debugger: () => 'Dieser Fassung fehlen echte Maus und Tastatur. Verleihe den Tab ohne sie.',
    not_paired: () => 'Die Erweiterung ist mit keinem Relay gekoppelt. Koppele sie in den Optionen.',
    runtime_not_found: () => 'Dieser Tab ist nicht verliehen. Verleihe ihn zuerst.',
    task_not_found: () => 'In diesem Tab läuft keine Aufgabe. Beginne eine.',
    task_busy: () => 'In diesem Tab läuft schon eine Aufgabe. Stoppe sie zuerst.',
    element_gone: () => 'Dieses Element ist nicht mehr auf der Seite.',
    grant_gone: () => 'Diese Erlaubnis gibt es nicht mehr.',
    bad_link: () => 'Das ist kein Kopplungslink. Füge ein, was der hier gezeigte Befehl ausgibt.',
    plain_link: () =>
      'Ein Relay auf einem anderen Rechner ist nur über https erreichbar. Lass dir einen solchen Link geben.',
    wrong_roles: () =>
      'Dieser Link ist für eine andere Art von Gerät. Erzeuge einen für eine Erweiterung mit dem hier gezeigten Befehl.',
    relay_away: (at) => `Keine Antwort von ${at}. Starte dort das Relay, oder prüfe das Netz.`,
    relay_refused: () => 'Das Relay kennt dieses Gerät nicht mehr. Koppele es neu.',
    server_refused: () => 'Chrome verbindet sich nicht mit dieser Adresse.',
    server_late: () => 'Keine Antwort innerhalb der Zeit.',
    server_lost: () => 'Die Verbindung ging verloren.',
    server_away: () => 'Keine Antwort.',
  },
};
