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

const SECRET_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SECRET_PHRASES.join('|')})(?![\\p{L}\\p{N}])`,
  'u',
);

/** What only sounds like one: a pin on a map, a pin code in an Indian address, a gift-card text. */
const HARMLESS_PATTERN =
  /(?<![\p{L}\p{N}])(?:pin ?code|post(?:al)? pin|pin (?:it|this|to top|post|note|location|color|colour)|forgot password|gift card message|secret santa)(?![\p{L}\p{N}])/gu;

/** `cardNumber`, `card-number[0]` and `Card  number:` all become `card number`. */
export function words(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

export function namesASecret(text: string): boolean {
  return text !== '' && SECRET_PATTERN.test(words(text).replace(HARMLESS_PATTERN, ' '));
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
