/** The page at `/` without a web app. */
export const HOME_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="drawbridge" content="control-plane">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Drawbridge</title>
<link rel="stylesheet" href="/relay.css">
<script type="module" src="/relay.js"></script>
<main>
<h1>Drawbridge</h1>
<p>This is a relay: agents, the browsers they act in and the people they answer to meet here.</p>
<p id="said" role="status">Looking…</p>
<section id="pairing">
<h2>Pair this device</h2>
<p>Where the relay runs, <code>drawbridge pair</code> prints a link to open here. Or let somebody who is in
approve a code:</p>
<p><button id="ask">Show a code</button></p>
<p><button id="use-passkey" hidden>Sign in with a passkey</button></p>
<p id="approval" hidden>Type it on a paired device, within five minutes: <strong id="code"></strong></p>
</section>
<section id="owner" hidden>
<h2>Passkeys</h2>
<p>With a passkey, you can sign in another browser at this address yourself. It stays when this device is signed out or revoked,
until it is removed here.</p>
<ul id="passkeys"></ul>
<p><button id="add-passkey" hidden>Add a passkey</button></p>
</section>
<p id="passkeyless" hidden></p>
<section id="paired" hidden>
<p><button id="leave">Sign this device out</button></p>
</section>
<h2>For programs</h2>
<ul>
<li><a href="/openapi.json">openapi.json</a>: the HTTP endpoints</li>
<li><a href="/asyncapi.json">asyncapi.json</a>: the WebSocket messages</li>
<li><code>/mcp</code>: tools for agents, by MCP</li>
</ul>
</main>
</html>
`;

export const HOME_STYLE = `:root { color-scheme: light dark; --ink: #1d2525; --quiet: #5a6666; --ground: #fbfcfc; --line: #dfe5e5; --accent: #0b6b6b; --on: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e9e9; --quiet: #9aa7a7; --ground: #141919; --line: #2b3333; --accent: #5cc2bd; --on: #0d1413; }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 48px 24px; }
h1 { margin: 0 0 8px; font-size: 24px; }
h2 { margin: 32px 0 8px; font-size: 15px; color: var(--quiet); }
p, ul { margin: 8px 0; }
ul { padding-left: 24px; }
a { color: var(--accent); }
code { font: 13px ui-monospace, monospace; }
button { font: inherit; padding: 8px 16px; min-height: 44px; border: 1px solid var(--accent); border-radius: 10px; background: var(--accent); color: var(--on); }
#leave, #passkeys button { background: none; color: var(--ink); border-color: var(--line); }
#said { padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; }
#code { display: block; margin: 8px 0; font: 32px/1.2 ui-monospace, monospace; letter-spacing: 6px; }
`;
