/**
 * Pairs the browser that looks at `/`: by the secret of a link, or by a code that somebody approves. It runs under
 * `script-src 'self'` and writes no markup. The web app takes its place.
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

function paired({ label, roles }) {
  say('This device is paired as “' + label + '” (' + roles.join(', ') + ').');
  show('pairing', false);
  show('paired', true);
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
$('leave').addEventListener('click', () => trying(async () => {
  await ask('POST', '/api/signout', {});
  location.reload();
}));

const secret = /^#pair=(.+)$/.exec(location.hash)?.[1];
if (secret) trying(() => claim(secret));
else ask('GET', '/api/me').then(paired, () => say('This device is not paired yet.'));
`;
