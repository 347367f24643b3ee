import { type auditEn, bare } from './audit-en.ts';

/** ` in shop`, or nothing. */
const after = (word: string, name: string): string => (name === '' ? '' : ` ${word} ${name}`);

export const auditDe: typeof auditEn = {
  title: 'Protokoll',
  says: 'Jede Aktion und wer sie ausführte, die neueste zuerst. Einträge werden nie gelöscht.',
  filters: (count) => (count === 0 ? 'Filter' : `Filter (${count} gesetzt)`),
  any: 'alle',
  who: 'Wer',
  what: 'Was',
  session: 'Sitzung',
  from: 'Von',
  until: 'Bis',
  noMatch: 'Kein Eintrag passt zu diesen Filtern.',
  more: 'Ältere Einträge',
  export: 'Als JSON exportieren',
  empty: 'Noch keine Einträge.',
  machine: 'dieser Rechner',
  someone: 'ein unbekanntes Gerät',
  anAgent: 'ein Agent',
  aTab: 'ein Tab',
  entries: {
    agent_ended: { name: 'Agent beendet', says: ({ who, of }) => `${who} hat ${of('agent')} beendet.` },
    agent_launched: {
      name: 'Agent gestartet',
      says: ({ who, of }) =>
        `${who} hat ${of('agent')}${after('auf', of('machine'))}${after('in', of('folder'))} gestartet.`,
    },
    agent_stopped: {
      name: 'Agent angehalten',
      says: ({ who, of }) =>
        of('problem') ? `${who} wollte ${of('agent')} anhalten.` : `${who} hat ${of('agent')} angehalten.`,
    },
    browser_given_back: {
      name: 'Browser zurückgegeben',
      says: ({ who, of }) => `${who} hat ${of('agent')} den Browser zurückgegeben.`,
    },
    browser_lent: {
      name: 'Browser verliehen',
      says: ({ who, of }) => `${who} hat ${of('agent')} den Browser geliehen.`,
    },
    browser_step: {
      name: 'Schritt im Browser',
      says: ({ of }) => `${of('agent')}: ${of('step')}.${of('problem') ? ' Nicht getan.' : ''}`,
    },
    browser_taken_back: {
      name: 'Browser zurückgenommen',
      says: ({ who, of }) => `${who} hat den Browser von ${of('agent')} zurückgenommen.`,
    },
    browser_taken_over: {
      name: 'Browser übernommen',
      says: ({ who, of }) => `${who} hat den Browser von ${of('agent')} übernommen.`,
    },
    confirmed: {
      name: 'Anfrage bestätigt',
      says: ({ who, of }) => `${who} hat eine Anfrage von ${of('for')} bestätigt: „${of('label')}“.`,
    },
    decision_expired: {
      name: 'Entscheidung abgelaufen',
      says: ({ of }) =>
        `Niemand hat ${of('agent')} rechtzeitig geantwortet: „${of('asked')}“${of('choice') ? `, daher: ${of('choice')}` : ''}.`,
    },
    decision_made: {
      name: 'Entscheidung',
      says: ({ who, of }) => `${who} hat ${of('agent')} mit „${of('choice')}“ geantwortet: „${of('asked')}“.`,
    },
    device_added: {
      name: 'Gerät hinzugefügt',
      says: ({ who, of }) =>
        of('how') === 'first start'
          ? 'Drawbridge wurde hier zum ersten Mal gestartet, und dieser Rechner wurde sein Besitzer.'
          : `${who} hat „${of('label')}“ hereingelassen.`,
    },
    device_renamed: {
      name: 'Gerät umbenannt',
      says: ({ who, of }) => `${who} hat ${of('from')} in ${of('to')} umbenannt.`,
    },
    device_revoked: { name: 'Gerät gesperrt', says: ({ who, of }) => `${who} hat ${of('label')} gesperrt.` },
    grant_revoked: {
      name: 'Erlaubnis entzogen',
      says: ({ who, of }) =>
        of('grant_id')
          ? `${who} hat eine Erlaubnis${after('für', of('tool'))} in ${of('tab')} entzogen.`
          : `${who} hat alle Erlaubnisse in ${of('tab')} entzogen.`,
    },
    grants_renewed: {
      name: 'Erlaubnisse zurückgegeben',
      says: ({ who, of }) =>
        of('tab')
          ? `${who} lässt Agenten in ${of('tab')} wieder lesen und handeln.`
          : `${who} lässt Agenten in verliehenen Tabs wieder lesen und handeln.`,
    },
    halted: { name: 'Alles angehalten', says: ({ who }) => `${who} hat alles angehalten.` },
    launch_failed: {
      name: 'Agent nicht gestartet',
      says: ({ who, of }) =>
        `${who} wollte ${of('agent')}${after('auf', of('machine'))}${after('in', of('folder'))} starten.`,
    },
    ledger_repaired: {
      name: 'Daten repariert',
      says: () => 'Die gespeicherten Daten des Relays waren beschädigt und wurden repariert.',
    },
    model_chosen: {
      name: 'Modell gewählt',
      says: ({ who, of }) =>
        of('provider')
          ? `${who} hat das Modell ${of('model') || of('provider')} gewählt.`
          : `${who} hat das Modell entfernt.`,
    },
    passkey_added: {
      name: 'Passkey hinzugefügt',
      says: ({ who, of }) => `${who} hat den Passkey ${of('label')} hinzugefügt.`,
    },
    passkey_removed: {
      name: 'Passkey entfernt',
      says: ({ who, of }) => `${who} hat den Passkey ${of('label')} entfernt.`,
    },
    passkey_used: {
      name: 'Passkey benutzt',
      says: ({ who, of }) => `${who} hat den Passkey ${of('label')} benutzt.`,
    },
    retention_swept: {
      name: 'Alte Ereignisse gelöscht',
      says: ({ of }) =>
        `Ereignisse, die älter als ${of('retention_days')} Tage sind, wurden gelöscht: ${of('events')} Ereignisse, ${of('sessions')} Sitzungen.`,
    },
    session_deleted: {
      name: 'Sitzung gelöscht',
      says: ({ who, of }) => `${who} hat die Sitzung „${of('name')}“ gelöscht.`,
    },
    settings_changed: {
      name: 'Einstellungen geändert',
      says: ({ who, of }) =>
        of('retention_days')
          ? `${who} hat die Einstellungen geändert: Gespräche werden ${of('retention_days')} Tage aufbewahrt.`
          : `${who} hat die Einstellungen geändert: Gespräche werden aufbewahrt.`,
    },
    tab_watched: { name: 'Tab angesehen', says: ({ who, of }) => `${who} hat ${of('tab')} angesehen.` },
    task_ended: {
      name: 'Aufgabe beendet',
      says: ({ who, of }) => `Aufgabe von ${who}: „${bare(of('text'))}“. ${of('state')}.`,
    },
    task_started: {
      name: 'Aufgabe begonnen',
      says: ({ who, of }) => `${who} hat die Aufgabe „${bare(of('text'))}“ gegeben.`,
    },
    webhook_added: {
      name: 'Webhook hinzugefügt',
      says: ({ who, of }) => `${who} hat einen Webhook zu ${of('host')} hinzugefügt.`,
    },
    webhook_removed: {
      name: 'Webhook entfernt',
      says: ({ who, of }) => `${who} hat den Webhook zu ${of('host')} entfernt.`,
    },
  },
};
