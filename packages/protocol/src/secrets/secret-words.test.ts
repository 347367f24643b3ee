import { expect, test } from 'vitest';
import { namesASecret } from './secret-words.ts';

test.each([
  ['de', 'Geheimzahl'],
  ['nl', 'Toegangscode'],
  ['sv', 'Säkerhetskod'],
  ['da', 'Adgangskode'],
  ['no', 'Passord'],
  ['fi', 'Tunnusluku'],
  ['fr', 'Code secret'],
  ['es', 'Clave de acceso'],
  ['pt', 'Palavra-passe'],
  ['it', 'Codice di sicurezza'],
  ['ro', 'Parolă'],
  ['pl', 'Kod PIN'],
  ['cs', 'Heslo'],
  ['hu', 'Jelszó'],
  ['el', 'Κωδικός πρόσβασης'],
  ['tr', 'Şifre'],
  ['ru', 'Код подтверждения'],
  ['uk', 'ПІН-код'],
  ['ar', 'كلمة المرور'],
  ['he', 'סיסמה'],
  ['hi', 'पासवर्ड'],
  ['id', 'Kata sandi'],
  ['vi', 'Mật khẩu'],
  ['th', 'รหัสผ่าน'],
  ['zh-Hans', '卡号'],
  ['zh-Hant', '密碼'],
  ['ja', '暗証番号'],
  ['ko', '보안 코드'],
])('[INT-276] a field named as a secret in %s counts as one', (_, label) => {
  expect(namesASecret(label)).toBe(true);
});

test.each([
  'Postcode',
  'Palabra clave',
  'Código postal',
  'Code postal',
  'Kod pocztowy',
  'Промокод',
  '郵便番号',
  '電話番号',
  'Discount code',
])('a field named %s does not', (label) => {
  expect(namesASecret(label)).toBe(false);
});
