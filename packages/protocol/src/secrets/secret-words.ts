/** `cardNumber`, `card-number[0]` and `Card  number:` all become `card number`. */
export function words(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Words in a form that mark a secret field, each a regular expression for whole words. They are matched
 * against names, ids, labels and placeholders after `words()` has split them, so `cardNumber`, `card_number`
 * and `Card number` are equal; `_` is an optional space. Words in several languages; lookalikes are excluded,
 * such as a pin on a map or an address' pin code.
 */
const SECRETS = String.raw`(?<!forgot.)password pass(wd|_code|_phrase|wort|\sword) pwd kennwort mot_de_passe mdp contrase[nñ]a senha wachtwoord
has[lł]o parola salasana l[oö]senord пароль secret(?!_santa) (private|api|access|recovery)_key (access|auth)_token bearer
[cx]srf security_answer (seed|recovery)_phrase (recovery|backup)_code mnemonic wiederherstellungscode
t?otp one_time_(code|password) einmal(code|passwort) code_unique codigo_unico (verification|verify|auth|authentication)_code
authenticator (sms|security|digit)_code (your|ihr|votre)_code(_\w+)?\s\d[\d\s]{3,} 2_fa mfa (sms)?tan tofa two_factor (best[aä]tigungs|sicherheits)code
code_de_(v[eé]rification|s[eé]curit[eé]) c[oó]digo_de_(verificaci[oó]n|seguridad)
cv[cvn]2? csc cid card_(code|security|number|num|no|expiry|expiration) (karten)?pr[uü]f(ziffer|nummer)
cc_(num(ber)?|no|exp|csc|month|year) pan (credit|debit)_card kreditkarte (kreditkarten|karten|konto|sozialversicherungs)nummer n[uú]m[eé]ro_(de_)?(carte|tarjeta|carta)
carte_bancaire cart[aã]o kaartnummer exp_(month|year)
(?<!postal.)pin(?!_(code|it|this|to|post|note|location|colou?r)(?!\S)) ssn social_security
national_(insurance|id) nino iban bic account_no (account|routing|passport|license|id)_number sort_code
(tax|steuer)_id
geheim(zahl|nummer) toegangscode (beveiligings|verificatie)code pin_?kod (s[aä]kerhets|verifierings|eng[aå]ngs)kod
adgangskode pin_?kode (sikkerheds|sikkerhets|engangs|bekr[aæ]ftelses)kode passord tunnusluku pin_?koodi (vahvistus|turva)koodi
code_(secret|pin|confidentiel|d_acc[eè]s) cryptogramme clave_(secreta|de_acceso|personal) c[oó]digo_(pin|secreto) nip palavra_passe
c[oó]digo_de_(verifica[cç][aã]o|seguran[cç]a|acesso) codice_(pin|segreto|di_(sicurezza|verifica|accesso)) parol[aă]
cod_(pin|de_(securitate|verificare)) kod_(pin|sms|weryfikacyjny|bezpiecze[nń]stwa) heslo (ov[eě][rř]ovac[ií]|bezpe[cč]nostn[ií])_k[oó]d
jelsz[oó] pin_k[oó]d (biztons[aá]gi|ellen[oő]rz[oő])_k[oó]d κωδικ[οό]ς_(πρ[οό]σβασης|ασφαλε[ιί]ας|επαλ[ηή]θευσης|pin) [sş]ifre
(do[gğ]rulama|g[uü]venlik)_kodu пин_код код_(подтверждения|безопасности|доступа|из_смс) пін_код код_підтвердження كلمة_(المرور|السر)
رمز_(التحقق|الأمان|الدخول) الرقم_السري סיסמ[הא] קוד_(אימות|סודי|אבטחה) (kata_)?sandi kode_(otp|verifikasi|keamanan|pin)
mật_khẩu mã_(pin|otp|xác_nhận|xác_minh|bảo_mật)`;

/** Found anywhere: their languages have no spaces, or vowel signs at which `words` takes a word apart. */
const JOINED = [
  '密码',
  '密碼',
  '验证码',
  '驗證碼',
  '安全码',
  '安全碼',
  '卡号',
  '卡號',
  'パスワード',
  '暗証番号',
  '認証コード',
  '確認コード',
].concat(
  [
    'セキュリティコード',
    'ワンタイム',
    'カード番号',
    '비밀번호',
    '인증번호',
    '보안코드',
    '보안 코드',
    '카드번호',
    '카드 번호',
  ],
  ['รหัสผ่าน', 'รหัสยืนยัน', 'รหัสลับ', 'หมายเลขบัตร', 'पासवर्ड', 'ओटीपी', 'पिन नंबर'],
);

/** Phrases that ask for a one-time code without naming it. */
const CODE_REQUESTS = String.raw`(enter|type|insert|use)_(the|your|this|that)_(\d_digit_)?code (login|log_in|sign_in|access|temporary)_code
code_(from|in|on|by)_(your|the|an?)_(\w+_)?(app|phone|device|text|sms|e_?mail|message|authenticator)
code_(that_)?(we|was|has_been|is)_(just_)?(sent|texted|emailed|shown) code_sent (we|just)_sent_(you_)?(a|the)_code
code_aus_(der|deiner|ihrer)_(\w+)?app (den|ihren|deinen)_code_(ein|aus) (zugesandten|erhaltenen|gesendeten)_code
code_re[cç]u c[oó]digo_(que|recibido|enviado) codice_(ricevuto|inviato)`;

const phrases = (list: string): string => list.split(/\s+/).join('|').replaceAll('_', ' ?');

const CODE_REQUEST = new RegExp(`(?<!\\S)(?:${phrases(CODE_REQUESTS)})(?!\\S)`);
const SECRET = new RegExp(`(?<!\\S)(?:${phrases(SECRETS)})(?!\\S)|${JOINED.map(words).join('|')}`);

export function namesASecret(text: string): boolean {
  return text !== '' && SECRET.test(words(text));
}

/** "Enter the code from your app": asks for a one-time code, in a label or around a field. */
export function asksForCode(text: string): boolean {
  return text !== '' && CODE_REQUEST.test(words(text));
}

/**
 * Card numbers (https://en.wikipedia.org/wiki/Luhn_algorithm) and IBANs (ISO 13616), by their check digits.
 */
export function isSecretByValue(value: string): boolean {
  const digits = value.replace(/[\s.-]/g, '');
  if (/^\d{13,19}$/.test(digits)) return passesLuhn(digits);
  return /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}$/.test(digits) && passesIban(digits.toUpperCase());
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
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
