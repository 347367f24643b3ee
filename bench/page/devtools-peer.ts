import { startMcp } from './mcp-client.ts';
import { installed, OFFERED_ROLES, type Peer } from './peer.ts';
import { STANDS_FOR } from './recall.ts';

export const devtoolsPeer: Peer = {
  name: 'chrome-devtools-mcp',
  async start({ port }) {
    const mcp = await startMcp(installed('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'), [
      ...['--browserUrl', `http://127.0.0.1:${port}`],
      ...['--no-usage-statistics', '--no-performance-crux', '--no-page-id-routing'],
    ]);
    return {
      look: () => mcp.call('take_snapshot', {}),
      async marks(answer) {
        const marks: string[] = [];
        const uids = offeredUids(answer);
        for (let start = 0; start < uids.length; start += ASKED_AT_ONCE) {
          const told = await mcp.call('evaluate_script', {
            function: `(...elements) => elements.map((node) =>
              (node.nodeType === 3 ? node.parentElement : node)?.getAttribute('${STANDS_FOR}') ?? '')`,
            args: uids.slice(start, start + ASKED_AT_ONCE),
          });
          const [, json = '[]'] = /```json\s*([\s\S]*?)```/.exec(told) ?? [];
          const values: string[] = JSON.parse(json);
          marks.push(...values);
        }
        return marks;
      },
      close: mcp.close,
    };
  },
};

const ASKED_AT_ONCE = 500;

function offeredUids(answer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    const [, uid, role = ''] = /^\s*uid=(\S+) (\w+)/.exec(line) ?? [];
    return uid !== undefined && OFFERED_ROLES.has(role) ? uid : [];
  });
}
