/**
 * Words by which a form gives away that a field holds a secret. They are matched against names, ids,
 * labels and placeholders after `words()` has taken them apart, so `cardNumber`, `card_number` and
 * `Card number` read alike. Several languages, because forms are written in several.
 */
const SECRET_PHRASES: readonly string[] = [
  // Passwords and what stands in for one.
  'password|passwd|pwd|passphrase|passcode|pass code|pass phrase|pass word|passwort|kennwort|mot de passe|mdp',
  'contrasena|contraseña|senha|wachtwoord|haslo|hasło|parola|salasana|losenord|lösenord|пароль|密码|パスワード|비밀번호',
  'secret|secret key|private key|api key|access key|access token|auth token|bearer|csrf|xsrf|security answer',
  'seed phrase|recovery phrase|recovery code|recovery key|backup code|mnemonic|wiederherstellungscode',
  // One-time codes.
  'otp|totp|one time code|one time password|onetimecode|einmalcode|einmalpasswort|code unique|codigo unico',
  'verification code|verify code|verificationcode|authentication code|auth code|authenticator|security code',
  'sms code|2fa|mfa|tan|smstan|tofa|two factor|twofactor|bestatigungscode|bestätigungscode|sicherheitscode',
  'code de verification|code de vérification|code de securite|code de sécurité|codigo de verificacion',
  'código de verificación|codigo de seguridad|código de seguridad|验证码|認証コード|인증번호|digit code',
  // Cards.
  'cvc|cvv|cvv2|cvc2|csc|cvn|cid|card code|card security|prufziffer|prüfziffer|kartenprufnummer|kartenprüfnummer',
  'card number|cardnumber|card no|cardno|card num|cardnum|ccnum|cc num|cc number|ccnumber|ccno|cc no|pan',
  'credit card|creditcard|debit card|debitcard|kreditkarte|kreditkartennummer|kartennummer|numero de carte',
  'numéro de carte|carte bancaire|numero de tarjeta|número de tarjeta|numero carta|cartao|cartão|kaartnummer',
  'card expiry|card expiration|cardexpiry|cc exp|ccexp|cc csc|cc month|cc year|exp month|exp year',
  // Numbers that are as good as a key to somebody's money or name.
  'pin|ssn|social security|sozialversicherungsnummer|national insurance|nino|national id|personal id number',
  'iban|bic|account number|accountnumber|account no|kontonummer|routing number|routingnumber|sort code|sortcode',
  'tax id|taxid|steuer id|passport number|passportnumber|driver license number|drivers license number',
];

/** What only sounds like one: a pin on a map, a pin code in an Indian address, a text for a gift card. */
const HARMLESS_PHRASES = [
  'pin code|postal pin|pin it|pin this|pin to|pin post|pin note|pin location|pin color|pin colour',
  'forgot password|gift card message|secret santa',
];

const secretPhrases = new Set(SECRET_PHRASES.flatMap((line) => line.split('|')));
const harmlessPhrases = new Set(HARMLESS_PHRASES.flatMap((line) => line.split('|')));
/** Written without spaces between words, so looked for anywhere. */
const unspacedPhrases = [...secretPhrases].filter((phrase) => /[\u3040-\u9fff\uac00-\ud7af]/.test(phrase));
const LONGEST_PHRASE = 4;
/** Most words begin no phrase: those are not put together with the words after them. */
const beginnings = new Set([...secretPhrases, ...harmlessPhrases].map((phrase) => phrase.split(' ')[0]));

/** `cardNumber`, `card-number[0]` and `Card  number:` all become `card number`. */
export function words(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

export function namesASecret(text: string): boolean {
  if (text === '') return false;
  const list = words(text).split(' ');
  for (let start = 0; start < list.length; start++) {
    if (!beginnings.has(list[start])) continue;
    const skipped = phraseAt(list, start, harmlessPhrases);
    if (skipped > 0) start += skipped - 1;
    else if (phraseAt(list, start, secretPhrases) > 0) return true;
  }
  return unspacedPhrases.some((phrase) => text.includes(phrase));
}

/** How many words from here on make one of the phrases; 0 when none do. */
function phraseAt(list: readonly string[], start: number, phrases: ReadonlySet<string>): number {
  for (let length = LONGEST_PHRASE; length > 0; length--) {
    if (phrases.has(list.slice(start, start + length).join(' ')))
      return Math.min(length, list.length - start);
  }
  return 0;
}

/** https://en.wikipedia.org/wiki/Luhn_algorithm and ISO 13616: a value that proves what it is. */
export function isSecretByValue(value: string): boolean {
  const digits = value.replace(/[\s.-]/g, '');
  if (/^\d{13,19}$/.test(digits)) return passesLuhn(digits);
  return /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}$/.test(digits) && passesIban(digits.toUpperCase());
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && !/^0+$/.test(digits);
}

function passesIban(text: string): boolean {
  const rotated = text.slice(4) + text.slice(0, 4);
  let remainder = 0;
  for (const character of rotated) remainder = Number(`${remainder}${Number.parseInt(character, 36)}`) % 97;
  return remainder === 1;
}
