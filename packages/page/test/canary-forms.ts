/** A form with a secret, and a known way in which a page reveals it. */
export interface CanaryForm {
  readonly name: string;
  /** `{canary}` is the secret; `data-secret` marks its field, `data-echo` its copies. */
  readonly html: string;
  readonly inside?: 'shadow' | 'frame' | 'shadow in frame';
  /** How the secret is entered: with events by default. */
  readonly typed?: 'by hand' | 'by the browser' | 'not';
  /** Page code to run afterwards, with `field` and `canary`. */
  readonly afterTyping?: string;
  /** Page code to run when the button is pressed, with `field` and `canary`. */
  readonly onPress?: string;
  readonly canary?: string;
}

/**
 * Fields declared by type or autofill:
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill-field
 */
const DECLARED: readonly CanaryForm[] = [
  'type=password',
  'type=password autocomplete=new-password',
  'type=password autocomplete=off name=f1',
  'type=text autocomplete=current-password',
  'autocomplete=one-time-code',
  'autocomplete="section-a one-time-code" inputmode=numeric',
  'autocomplete=cc-number',
  'autocomplete="billing cc-csc"',
  'autocomplete=cc-exp',
  'type=tel autocomplete=cc-number',
  'style="-webkit-text-security:disc"',
  'pattern="\\d{16}"',
].map((attributes) => ({ name: attributes, html: `<input ${attributes} data-secret>` }));

const LABELS = [
  ...['Card number', 'Kartennummer', 'Numéro de carte', 'Número de tarjeta', 'CVC', 'Prüfziffer'],
  ...['PIN', 'IBAN', 'SSN', 'Sozialversicherungsnummer', 'Recovery code', 'Wiederherstellungscode'],
  ...[
    'Passwort',
    'Mot de passe',
    'Contraseña',
    'Senha',
    'Пароль',
    'パスワード',
    '密码',
    'API key',
    'Seed phrase',
  ],
];

/** All ways to label a field. */
const LABELLINGS: readonly ((label: string) => string)[] = [
  (label) => `<label for=f>${label}</label><input id=f data-secret>`,
  (label) => `<label>${label} <input data-secret></label>`,
  (label) => `<input aria-label="${label}" data-secret>`,
  (label) => `<b id=l>${label}</b><input aria-labelledby=l data-secret>`,
  (label) => `<input placeholder="${label}" data-secret>`,
  (label) => `<input title="${label}" data-secret>`,
  (label) => `<label>${label}<textarea data-secret></textarea></label>`,
  (label) => `<div contenteditable role=textbox aria-label="${label}" data-secret></div>`,
];

const LABELLED: readonly CanaryForm[] = LABELS.map((label, index) => {
  const html = LABELLINGS[index % LABELLINGS.length]?.(label) ?? '';
  return { name: html, html };
});

const PASSWORD = '<label>Password <input type=password data-secret></label>';

const INSIDE: readonly CanaryForm[] = (['shadow', 'frame', 'shadow in frame'] as const).flatMap((inside) => [
  { name: `a password in a ${inside}`, html: PASSWORD, inside },
  { name: `a card in a ${inside}`, html: '<label>Card number <input data-secret></label>', inside },
  {
    name: `an editable in a ${inside}`,
    html: '<p contenteditable aria-label="Recovery code" data-secret></p>',
    inside,
  },
]);

/** Ways in which a page changes, repeats or forwards typed text. */
const LEAKS: readonly CanaryForm[] = [
  { name: 'shown after typing', html: PASSWORD, afterTyping: "field.type = 'text'" },
  {
    name: 'shown and renamed',
    html: PASSWORD,
    afterTyping: "field.type = 'text'; field.name = 'q'; field.closest('label').firstChild.data = 'Search'",
  },
  { name: 'filled by the browser', html: PASSWORD, typed: 'by the browser' },
  { name: 'sent with the page', html: '<input type=password value="{canary}" data-secret>', typed: 'not' },
  { name: 'a copy in the attribute', html: PASSWORD, afterTyping: "field.setAttribute('value', canary)" },
  {
    name: 'a copy in data-',
    html: PASSWORD,
    afterTyping: 'field.dataset.typed = canary; field.form.dataset.typed = canary',
  },
  {
    name: 'a copy in aria-label',
    html: PASSWORD,
    afterTyping: "field.setAttribute('aria-label', 'Password ' + canary)",
  },
  {
    name: 'a copy in a title beside it',
    html: `${PASSWORD}<a href=# title="x">?</a>`,
    afterTyping: "field.form.querySelector('a').title = canary",
  },
  {
    name: 'repeated in a text',
    html: `${PASSWORD}<p data-echo></p>`,
    afterTyping: "field.form.querySelector('p').textContent = 'You typed ' + canary",
  },
  {
    name: 'repeated in a plain field',
    html: `${PASSWORD}<input name=copy data-echo>`,
    afterTyping: 'field.form.elements.copy.value = canary',
  },
  {
    name: 'repeated in a button',
    html: `${PASSWORD}<button type=button data-echo>x</button>`,
    afterTyping: "field.form.querySelector('button').textContent = 'Use ' + canary",
  },
  {
    name: 'repeated in an address',
    html: `${PASSWORD}<a>again</a>`,
    afterTyping: "field.form.querySelector('a').href = '/login?p=' + encodeURIComponent(canary)",
  },
  { name: 'repeated in the title', html: PASSWORD, afterTyping: 'document.title = canary' },
  {
    name: 'repeated in the hash',
    html: PASSWORD,
    afterTyping: "location.hash = 'p=' + encodeURIComponent(canary)",
  },
  {
    name: 'a hidden copy',
    html: `${PASSWORD}<input type=hidden name=copy>`,
    afterTyping: 'field.form.elements.copy.value = canary',
  },
  {
    name: 'a toast at the press',
    html: PASSWORD,
    onPress:
      "document.body.insertAdjacentHTML('beforeend', '<p role=alert data-echo>Wrong password: ' + canary + '</p>')",
  },
  {
    name: 'a toast that goes again',
    html: PASSWORD,
    onPress:
      "const t = document.createElement('div'); t.role = 'status'; t.textContent = canary + ' was saved'; document.body.append(t); setTimeout(() => t.remove(), 50)",
  },
  {
    name: 'a form that makes way for its echo',
    html: PASSWORD,
    onPress:
      "const p = document.createElement('p'); p.dataset.echo = ''; p.textContent = 'Welcome! You are ' + canary; field.form.replaceWith(p)",
  },
];

export const CANARY_FORMS: readonly CanaryForm[] = [...DECLARED, ...LABELLED, ...INSIDE, ...LEAKS];
