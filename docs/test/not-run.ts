const OTHER_TERMINAL = 'the test has the relay, the browser and the shop in its own process';
const INSPECTOR = 'npm run deep: conformance/inspector.ts, which installs the Inspector';
const FRESH_CLONE = 'scripts/fresh-clone.mjs runs it, for it installs or takes minutes';
const PACKED = 'packaging/packed.test.ts installs the package, and runs all of it';
const ELSEWHERE = 'needs another machine, a name and a certificate';
const CLUSTER =
  'needs PostgreSQL and NATS: packages/relay/src/cluster and apps/cli/src/ledger have tests on both';
const BEHIND_PROXY = 'apps/cli/src/relay/up.test.ts types it, and sends what such a proxy would';
const CODING_AGENT = 'npm run deep: conformance/steer.ts, with opencode, Claude Code and Codex';

/** Commands and programs of our pages that no test types from the page, and why. `*` is everything on that page. */
export const NOT_RUN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'CONTRIBUTING.md': { '*': 'they are how the tests are run' },
  'conformance/README.md': { '*': 'npm run deep runs it last; it installs 500 MB' },
  'docs/agents/mcp.md': {
    'npx @modelcontextprotocol/inspector --cli drawbridge mcp --headless --url http://127.0.0.1:7720 \\\n  --method tools/call --tool-name snapshot':
      INSPECTOR,
    'drawbridge up --no-browser': OTHER_TERMINAL,
    'drawbridge browser --headless --map maps/shop/actions.json --url http://127.0.0.1:7720':
      'apps/cli/src/browser/joined-relay.browser.test.ts',
    'npx @modelcontextprotocol/inspector --cli drawbridge mcp \\\n  --method tools/call --tool-name tabs --tool-arg do=list':
      INSPECTOR,
    'npx @modelcontextprotocol/inspector --cli http://127.0.0.1:7717/mcp --transport http \\\n  --header "Authorization: Bearer TOKEN" --method tools/call --tool-name tabs --tool-arg do=list':
      INSPECTOR,
  },
  'docs/agents/steer.md': {
    'drawbridge up': OTHER_TERMINAL,
    'drawbridge proxy doctor': CODING_AGENT,
    'drawbridge proxy --agent opencode --workspace ~/shop': CODING_AGENT,
    'DRAWBRIDGE_TOKEN=… drawbridge proxy --relay https://relay.example --workspace ~/shop': ELSEWHERE,
    'code --remote-debugging-port=9223': 'needs an editor with a screen',
    'drawbridge proxy --panels 9223 --workspace ~/shop': 'e2e/proxy-panels.browser.test.ts',
  },
  'docs/demo.md': { 'drawbridge demo': 'waits for a person; with --auto it is run' },
  'docs/extension.md': { 'drawbridge up': OTHER_TERMINAL },
  'docs/guides/first-agent.md': { 'npm start': OTHER_TERMINAL },
  'docs/maps/write-a-map.md': {
    'drawbridge map run first-map/actions.json card.add --args \'{"title": "Water the greenhouse"}\' --headless':
      FRESH_CLONE,
  },
  'docs/remote.md': {
    'drawbridge up --host 0.0.0.0':
      'opens a port to the network; apps/cli/src/relay/up-by-tls.test.ts does it on loopback',
    'drawbridge up --host 0.0.0.0 --cert cert.pem --key key.pem': 'the same',
    'drawbridge up --behind-proxy studio.example-net.ts.net': BEHIND_PROXY,
    'tailscale serve --bg 7717': ELSEWHERE,
    'drawbridge up --behind-proxy relay.example.org': BEHIND_PROXY,
    'ssh -N -R 127.0.0.1:7717:127.0.0.1:7717 server.example.org': ELSEWHERE,
  },
  'docs/self-host.md': {
    'npm run pack': PACKED,
    'npm install --global dist/drawbridge-*.tgz': PACKED,
    'git pull': ELSEWHERE,
    'drawbridge up --no-browser --behind-proxy relay.example.org': BEHIND_PROXY,
    'export DRAWBRIDGE_DATABASE=postgres://… DRAWBRIDGE_BUS=nats://…': CLUSTER,
    'drawbridge up --no-browser --host 10.0.0.11 --cert cert.pem --key key.pem': CLUSTER,
  },
  'docs/tasks.md': { 'npm install ws pusher-js': FRESH_CLONE },
  'examples/README.md': { '*': PACKED },
  'packages/page/README.md': {
    "import { createPage } from '@drawbridge/page';":
      'needs a page: packages/page/src/canaries.browser.test.ts',
  },
  'packaging/README.md': { '*': PACKED },
  'README.md': { 'npm start': FRESH_CLONE, './drawbridge demo': FRESH_CLONE },
  'testbed/README.md': { '*': 'these are parts of tests; the tests beside the sources do all of it' },
};

/** A person's own folder and programs can run what installs or takes minutes, too. */
export const isForFreshClone = (page: string, command: string): boolean =>
  NOT_RUN[page]?.[command] === FRESH_CLONE;

export function isNotRun(page: string, command: string): boolean {
  const listed = NOT_RUN[page];
  return listed !== undefined && (command in listed || '*' in listed);
}
