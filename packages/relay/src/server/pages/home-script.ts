/**
 * Pairs the browser that looks at `/`: by the secret of a link, by a code that somebody approves, or by a passkey, which
 * owners add here. It runs under `script-src 'self'` and writes no markup. The web app takes its place.
 */
export const HOME_SCRIPT = `const $ = (id) => document.getElementById(id);
const show = (id, visible) => { $(id).hidden = !visible; };
const say = (text) => { $('said').textContent = text; };

async function ask(method, path, body, headers = {}) {
  const response = await fetch(path, {
    method,
    headers: body ? { 'content-type': 'application/json', ...headers } : headers,
    body: body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? 'The relay did not answer. Is it still running?');
  return { status: response.status, ...answer };
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
  await ask('POST', '/api/passkeys/signin', { attempt, credential, label: name() });
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
  paired(await ask('POST', '/api/pair', { secret, label: name() }));
}

async function waitForApproval() {
  const { id, code, poll_secret } = await ask('POST', '/api/pair/code', { label: name() });
  $('code').textContent = code;
  show('approval', true);
  say('Waiting for somebody to approve the code…');
  for (;;) {
    const answer = await ask('GET', '/api/pair/code/' + id + '?wait=20', undefined, {
      authorization: 'Pairing ' + poll_secret,
    });
    if (answer.status !== 202) return paired(answer);
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
