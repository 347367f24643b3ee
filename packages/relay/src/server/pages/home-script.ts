import { openBrowserKeys } from '@drawbridge/link';

/**
 * Pairs the browser that opens `/`: by the secret of a link, by an approved code, or by a passkey, which
 * owners add here. Runs under `script-src 'self'` and writes no markup. The web app replaces it.
 */
export const HOME_SCRIPT = `const $ = (id) => document.getElementById(id);
const show = (id, visible) => { $(id).hidden = !visible; };
const say = (text) => { $('said').textContent = text; };

const { newKey, provenFetch } = (${openBrowserKeys.toString()})();

async function ask(method, path, body, headers = {}, isAgain = false) {
  const response = await provenFetch(path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return { status: response.status, ...answer };
  const { code, message, confirmation } = answer.error ?? {};
  if (code === 'confirmation_needed' && !isAgain) {
    say(message);
    if (confirmation.passkey) await confirmByPasskey(confirmation.id);
    for (let state = 'waiting'; state !== 'confirmed';) {
      ({ state } = await ask('GET', '/api/confirmations/' + confirmation.id + '?wait=20'));
      if (state === 'refused') throw new Error('This was refused.');
    }
    return ask(method, path, body, { ...headers, 'drawbridge-confirmation': confirmation.id }, true);
  }
  throw new Error(message ?? 'The relay did not answer. Is it still running?');
}

async function confirmByPasskey(id) {
  const path = '/api/confirmations/' + id + '/passkey';
  const { attempt, options } = await ask('POST', path + '/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await ask('POST', path, { attempt, credential });
}

const name = () => {
  const { userAgentData, platform } = navigator;
  return 'Browser on ' + (userAgentData?.platform || platform || 'a device');
};

// An rpID is a name: https://www.w3.org/TR/webauthn-3/#rp-id
const hasName = !/^[\\d.]+$|^\\[/.test(location.hostname);
const canPasskey = isSecureContext && hasName && 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {});

function offerPasskey(id) {
  show(id, canPasskey);
  show('passkeyless', !canPasskey);
  $('passkeyless').textContent =
    'Passkeys need a name and a current browser: where the relay runs, open ' + location.protocol + '//localhost' +
    (location.port && ':' + location.port) + '.';
}

async function usePasskey() {
  const { attempt, options } = await ask('POST', '/api/passkeys/signin/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  const made = await newKey();
  const me = await ask('POST', '/api/passkeys/signin', { attempt, credential, label: name(), key: made.publicKey });
  await made.keep(me.browser_name);
  location.reload();
}

async function addPasskey() {
  const { attempt, options } = await ask('POST', '/api/passkeys/options', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  const { label } = await ask('POST', '/api/passkeys', { attempt, credential, label: name() });
  say('The passkey “' + label + '” was added.');
  await listPasskeys();
}

async function listPasskeys() {
  const { passkeys } = await ask('GET', '/api/passkeys');
  $('passkeys').replaceChildren(...passkeys.map(({ id, label, rp_id, created_at }) => {
    const [item, button] = [document.createElement('li'), document.createElement('button')];
    button.textContent = 'Remove';
    button.addEventListener('click', () => trying(async () => {
      await ask('DELETE', '/api/passkeys/' + id);
      await listPasskeys();
    }));
    item.append(label + ', for ' + rp_id + ', since ' + new Date(created_at).toLocaleDateString() + ' ', button);
    return item;
  }));
}

function paired({ label, roles }) {
  say('This device is paired as “' + label + '” (' + roles.join(', ') + ').');
  show('pairing', false);
  show('paired', true);
  show('passkeyless', false);
  if (!roles.includes('owner')) return;
  show('owner', true);
  offerPasskey('add-passkey');
  trying(listPasskeys);
}

async function claim(secret) {
  history.replaceState(null, '', '/');
  say('Pairing…');
  const made = await newKey();
  const me = await ask('POST', '/api/pair', { secret, label: name(), key: made.publicKey });
  await made.keep(me.browser_name);
  paired(me);
}

async function waitForApproval() {
  const made = await newKey();
  const { id, code, poll_secret } = await ask('POST', '/api/pair/code', { label: name(), key: made.publicKey });
  $('code').textContent = code;
  show('approval', true);
  say('Waiting for somebody to approve the code…');
  for (;;) {
    const answer = await ask('GET', '/api/pair/code/' + id + '?wait=20', undefined, {
      authorization: 'Pairing ' + poll_secret,
    });
    if (answer.status === 202) continue;
    await made.keep(answer.browser_name);
    return paired(answer);
  }
}

const trying = (work) => work().catch((error) => {
  show('approval', false);
  say(error.message);
});

$('ask').addEventListener('click', () => trying(waitForApproval));
$('use-passkey').addEventListener('click', () => trying(usePasskey));
$('add-passkey').addEventListener('click', () => trying(addPasskey));
$('leave').addEventListener('click', () => trying(async () => {
  await ask('POST', '/api/signout', {});
  location.reload();
}));

offerPasskey('use-passkey');
const secret = /^#pair=(.+)$/.exec(location.hash)?.[1];
if (secret) trying(() => claim(secret));
else ask('GET', '/api/me').then(paired, () => say('This device is not paired yet.'));
`;
