import type { HttpErrorCode } from '@drawbridge/protocol/http';

/** Reasons of the relay that a person meets, by their English sentence. */
export const REASONS_DE: Readonly<Record<string, string>> = {
  'There is no such session.': 'Diese Sitzung gibt es nicht.',
  'There is no such session, or it is closed.': 'Diese Sitzung gibt es nicht, oder sie ist geschlossen.',
  'The agent is still connected. Close the session first, then delete it.':
    'Der Agent ist noch verbunden. Schließe die Sitzung zuerst, dann lösche sie.',
  'A guest may not delete a session.': 'Ein Gast darf keine Sitzung löschen.',
  'There is no such message, or it is not accepted yet.':
    'Diese Nachricht gibt es nicht, oder sie ist noch nicht angekommen.',
  'Too late to change: the message is on its way or settled.':
    'Zu spät für eine Änderung: Die Nachricht ist unterwegs oder abgeschlossen.',
  'The proxy is away and the queue is full. Send it again when the proxy is back.':
    'Der Rechner des Agenten ist offline, und es warten schon zu viele Nachrichten. Sende sie noch einmal, wenn er wieder da ist.',
  'The session did not come back in time. Send it again when it has.':
    'Die Sitzung kam nicht rechtzeitig zurück. Sende die Nachricht noch einmal, wenn sie wieder da ist.',
  'The proxy could not put the message into the agent, and did not say why.':
    'Die Nachricht ließ sich dem Agenten nicht geben; warum, ist nicht bekannt.',
  'The message was not delivered. The conversation says why.':
    'Die Nachricht wurde nicht zugestellt. Warum, steht im Gespräch.',
  'A person took the message back before it was delivered.':
    'Die Nachricht wurde vor der Zustellung zurückgenommen.',
  'The message is already on its way. The conversation shows what became of it.':
    'Die Nachricht ist schon unterwegs. Was aus ihr wurde, steht im Gespräch.',
  'This device has scheduled too many messages. Cancel one, or wait until one was sent.':
    'Dieses Gerät hat zu viele Nachrichten für später. Nimm eine zurück, oder warte, bis eine gesendet ist.',
  'The agent did not answer within five seconds. Look at the agent itself.':
    'Der Agent antwortete nicht innerhalb von fünf Sekunden. Sieh beim Agenten selbst nach.',
  'The prompt has no such choice. Choose one of its choices.':
    'Diese Wahl gibt es bei der Frage nicht. Nimm eine der angebotenen.',
  'No relay takes commands right now. Try again in a moment.':
    'Gerade nimmt kein Relay Befehle an. Versuch es gleich noch einmal.',
  'The relay is stopping. Try again in a moment.': 'Das Relay hält an. Versuch es gleich noch einmal.',
  'The relay failed. See its log.': 'Das Relay ist gescheitert. Sein Protokoll sagt mehr.',
  'The relay could not do this, and nothing was changed. Try again; its log says why.':
    'Das Relay konnte das nicht tun; nichts wurde geändert. Versuch es noch einmal. Sein Protokoll sagt, warum.',
  'The disk of the relay is full, so nothing was stored. Free some space there; until then read on.':
    'Die Platte des Relays ist voll, deshalb wurde nichts gespeichert. Schaffe dort Platz; bis dahin kannst du lesen.',
  'The relay cannot read its store right now. Connect again in a moment.':
    'Das Relay kann gerade nicht lesen, was es gespeichert hat. Verbinde dich gleich noch einmal.',
  'No tab is lent. Ask the person to lend one, then call again.':
    'Kein Tab ist verliehen. Verleih einen und versuch es noch einmal.',
  'No browser is lent to this session.': 'Dieser Sitzung ist kein Browser geliehen.',
  'No browser is lent to this session, or its agent is stopped.':
    'Dieser Sitzung ist kein Browser geliehen, oder ihr Agent ist gestoppt.',
  'Nobody has taken over the browser of this session.': 'Niemand hat den Browser dieser Sitzung übernommen.',
  'No task runs in this tab: there is nothing to take over, or to hand back.':
    'In diesem Tab läuft keine Aufgabe: Es gibt nichts zu übernehmen oder zurückzugeben.',
  'This decision is over, or its browser gives no picture. Decide by its words.':
    'Diese Entscheidung ist vorbei, oder ihr Browser gibt kein Bild. Entscheide nach den Worten.',
  'This task is over and reads no more messages. Start a new one.':
    'Diese Aufgabe ist vorbei und liest keine Nachrichten mehr. Beginne eine neue.',
  'The task is not over yet. Cancel it first, or wait for its end.':
    'Die Aufgabe ist noch nicht vorbei. Brich sie ab, oder warte auf ihr Ende.',
  'The task isn’t running. GET it: its note says why.': 'Die Aufgabe läuft nicht. Warum, steht bei ihr.',
  'The relay was started again while its client ran it. Look at the browser, then retry if need be.':
    'Das Relay wurde neu gestartet, während die Aufgabe lief. Sieh im Browser nach, und führe sie wenn nötig noch einmal aus.',
  'The agent left before the result was known.': 'Der Agent ging, bevor das Ergebnis bekannt war.',
  'The tab is gone, or is not lent any more.': 'Der Tab ist weg oder nicht mehr verliehen.',
  'This device may not do that.': 'Dieses Gerät darf das nicht.',
  'Only an owner adds devices: do this on a device with that role.':
    'Nur ein Besitzer fügt Geräte hinzu: Tu das auf einem Gerät mit dieser Rolle.',
  'Only an owner renames other devices: do it on such a device.':
    'Nur ein Besitzer benennt andere Geräte um: Tu das auf einem solchen Gerät.',
  'Only an owner revokes other devices: do it on such a device.':
    'Nur ein Besitzer widerruft andere Geräte: Tu das auf einem solchen Gerät.',
  'This is the last owner: without it nobody could add or revoke devices. Pair another owner first.':
    'Das ist der letzte Besitzer: Ohne ihn könnte niemand Geräte hinzufügen oder widerrufen. Koppele zuerst einen anderen.',
  'This link has been used, has expired, or never was one. Ask an owner for a new one: drawbridge pair.':
    'Dieser Link wurde benutzt, ist abgelaufen oder war nie einer. Bitte einen Besitzer um einen neuen: drawbridge pair.',
  'This link is for another kind of device, and is still unused. Make one for a person: drawbridge pair.':
    'Dieser Link ist für eine andere Art von Gerät und noch unbenutzt. Erzeuge einen für eine Person: drawbridge pair.',
  'This code has expired, or was collected. Ask for a new one.':
    'Dieser Code ist abgelaufen oder wurde abgeholt. Verlange einen neuen.',
  'A code has six digits: type what the new device shows.':
    'Ein Code hat sechs Ziffern: Tippe, was das neue Gerät zeigt.',
  'Too many attempts have failed: wait a minute, then try again.':
    'Zu viele Versuche scheiterten: Warte eine Minute, dann versuch es noch einmal.',
  'Nothing waits for this confirmation: it has expired, or was answered. Ask for it again.':
    'Darauf wartet nichts mehr: Es ist abgelaufen oder wurde beantwortet. Verlange es noch einmal.',
  'This was answered already.': 'Das wurde schon beantwortet.',
  'This passkey does not open this relay. Try another one, or pair this device: drawbridge pair.':
    'Dieser Passkey öffnet dieses Relay nicht. Versuch einen anderen, oder koppele dieses Gerät: drawbridge pair.',
  'The push service does not answer. GET /api/push/log tells more.':
    'Der Push-Dienst antwortet nicht. Die letzten Mitteilungen sagen mehr.',
  'The demo is being played already. Wait for its end.': 'Die Demo läuft schon. Warte auf ihr Ende.',
};

/** For reasons that the table lacks. */
const CODES_DE: Readonly<Record<HttpErrorCode, string>> = {
  invalid_request: 'Etwas daran stimmt nicht.',
  unauthorized: 'Dieses Gerät ist nicht bekannt.',
  pair_again: 'Koppele diesen Browser neu.',
  proof_stale: 'Die Uhr dieses Geräts geht falsch.',
  forbidden: 'Dieses Gerät darf das nicht.',
  wrong_origin: 'Das geht nur auf den eigenen Seiten des Relays.',
  confirmation_needed: 'Das muss bestätigt werden.',
  confirmation_refused: 'Das wurde abgelehnt.',
  passkey_refused: 'Der Passkey wurde nicht angenommen.',
  not_found: 'Das gibt es nicht.',
  device_not_found: 'Dieses Gerät gibt es nicht.',
  pairing_not_found: 'Diese Kopplung gibt es nicht mehr.',
  confirmation_not_found: 'Diese Bestätigung gibt es nicht mehr.',
  passkey_not_found: 'Diesen Passkey gibt es nicht.',
  session_connected: 'Der Agent ist noch verbunden.',
  already_sent: 'Die Nachricht ist schon unterwegs.',
  demo_playing: 'Die Demo läuft schon.',
  passkey_needs_name: 'Ein Passkey braucht einen Namen statt einer Zahl als Adresse.',
  passkeys_full: 'Es sind schon so viele Passkeys, wie es sein dürfen.',
  last_owner: 'Das ist der letzte Besitzer.',
  task_over: 'Diese Aufgabe ist vorbei.',
  not_over: 'Das ist noch nicht vorbei.',
  not_running: 'Das läuft nicht.',
  unsupported: 'Das geht hier nicht.',
  file_too_large: 'Die Datei ist zu groß.',
  unsupported_media_type: 'Diese Art von Datei geht nicht.',
  rate_limited: 'Das war zu oft. Warte eine Minute.',
  pairing_full: 'Es warten schon zu viele Kopplungen. Warte, bis einige ablaufen.',
  internal: 'Das Relay ist gescheitert. Sein Protokoll sagt mehr.',
  unavailable: 'Das geht gerade nicht. Versuch es gleich noch einmal.',
  quota_reached: 'Der Platz dafür ist aufgebraucht.',
};

const isCode = (code: string): code is HttpErrorCode => Object.hasOwn(CODES_DE, code);

/** A reason in German: by its sentence, else by its code with the sentence behind it. Programs' own stay as they are. */
export function reasonDe(message: string, code = ''): string {
  // Commands are shown as they work on this machine.
  const [command = 'drawbridge'] = /\S*\bdrawbridge(?= [a-z])/.exec(message) ?? [];
  const sentence = message.replaceAll(command, 'drawbridge');
  const known = Object.hasOwn(REASONS_DE, sentence) ? REASONS_DE[sentence] : undefined;
  if (known !== undefined) return known.replaceAll('drawbridge ', `${command} `);
  return isCode(code) ? `${CODES_DE[code]} (${message})` : message;
}
