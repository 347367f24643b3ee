/** A form whose field holds a secret; `VALUE` is where the test puts a canary of its own. */
const FORMS: readonly string[] = [
  // Told by type and autocomplete.
  '<label>Word <input type="password" value="VALUE"></label>',
  '<input type="password" placeholder="Word" value="VALUE">',
  '<input type="text" autocomplete="current-password" value="VALUE">',
  '<input autocomplete="section-a new-password" value="VALUE">',
  '<input autocomplete="one-time-code" value="VALUE">',
  '<input autocomplete="cc-number" value="VALUE">',
  '<input autocomplete="billing cc-csc" value="VALUE">',
  '<input autocomplete="cc-exp" value="VALUE">',
  '<input autocomplete="cc-name" value="VALUE">',
  '<textarea autocomplete="one-time-code">VALUE</textarea>',
  // Told by style.
  '<input style="-webkit-text-security: disc" value="VALUE">',
  '<textarea style="-webkit-text-security: circle">VALUE</textarea>',
  '<div contenteditable style="-webkit-text-security: disc">VALUE</div>',
  // Told by name and id.
  '<input name="password" value="VALUE">',
  '<input name="user[password]" value="VALUE">',
  '<input name="userPassword" value="VALUE">',
  '<input name="passwd" value="VALUE">',
  '<input id="loginPwd" value="VALUE">',
  '<input name="cvc" value="VALUE">',
  '<input name="card_cvv2" value="VALUE">',
  '<input name="cardNumber" value="VALUE">',
  '<input name="card-number" value="VALUE">',
  '<input id="ccnum" value="VALUE">',
  '<input name="creditCard" value="VALUE">',
  '<input name="otp" value="VALUE">',
  '<input name="totpCode" value="VALUE">'.replace('totpCode', 'totp_code'),
  '<input name="verification_code" value="VALUE">',
  '<input name="pin" value="VALUE">',
  '<input name="ssn" value="VALUE">',
  '<input name="iban" value="VALUE">',
  '<input name="routing_number" value="VALUE">',
  '<input name="api_key" value="VALUE">',
  '<input name="client_secret" value="VALUE">',
  '<textarea name="seed_phrase">VALUE</textarea>',
  '<textarea name="private-key">VALUE</textarea>',
  '<input data-testid="security-code" value="VALUE">',
  // Told by what a person reads.
  '<label>Password <input value="VALUE"></label>',
  '<label for="l1">Card number</label><input id="l1" value="VALUE">',
  '<label for="l2">Security code (CVC)</label><input id="l2" value="VALUE">',
  '<b id="l3">One-time code</b><input aria-labelledby="l3" value="VALUE">',
  '<input aria-label="6-digit code" value="VALUE">',
  '<input placeholder="PIN" value="VALUE">',
  '<input placeholder="Social security number" value="VALUE">',
  '<input title="Account number" value="VALUE">',
  '<label>Passwort <input value="VALUE"></label>',
  '<label>Mot de passe <input value="VALUE"></label>',
  '<label>Contraseña <input value="VALUE"></label>',
  '<label>Kartennummer <input value="VALUE"></label>',
  '<label>Prüfziffer <input value="VALUE"></label>',
  '<label>密码 <input value="VALUE"></label>',
  '<label>TAN <input value="VALUE"></label>',
  '<label>Recovery code <input value="VALUE"></label>',
  '<label>PIN <div contenteditable aria-label="PIN">VALUE</div></label>',
  '<label>Enter the code from your app <input value="VALUE"></label>',
  '<label>Code that we sent to your phone <input value="VALUE"></label>',
  '<label>Code aus der Authenticator-App <input value="VALUE"></label>',
  '<h2>Enter the code from your app</h2><input inputmode="numeric" value="VALUE">',
  // Told by shape.
  '<input pattern="[0-9]{16}" value="VALUE">',
  '<input pattern="\\d{13,19}" value="VALUE">',
  // Pages that repeat a secret or build names out of it.
  '<label>Send <input type="password" value="VALUE"> now</label>',
  '<input type="password" id="s1" aria-labelledby="s1" value="VALUE">',
  '<input type="password" id="s2" value="VALUE"><button aria-labelledby="s2">x</button>',
  '<input type="password" value="VALUE"><p>Your password is VALUE.</p>',
  '<input type="password" value="VALUE"><a href="/reset?p=VALUE" title="VALUE" data-v="VALUE">VALUE</a>',
];

/** Each with a canary that stands nowhere else. */
export const SECRET_FORMS = FORMS.map((html, place) => {
  const canary = `CANARY${String(place).padStart(2, '0')}x`;
  return { html: `<form>${html.replaceAll('VALUE', canary)}</form>`, canary };
});
