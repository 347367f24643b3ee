import { type McpClient, startMcp } from './mcp-client.ts';
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
        for (let start = 0; start < uids.length; start += ASKED_AT_ONCE)
          marks.push(...(await marksOn(mcp, uids.slice(start, start + ASKED_AT_ONCE))));
        return marks;
      },
      close: mcp.close,
    };
  },
};

const ASKED_AT_ONCE = 500;

/** Elements of different frames cannot be queried together, so each half is queried separately. */
async function marksOn(mcp: McpClient, uids: readonly string[]): Promise<string[]> {
  try {
    const told = await mcp.call('evaluate_script', {
      function: `(...elements) => elements.map((node) =>
        (node.nodeType === 3 ? node.parentElement : node)?.getAttribute('${STANDS_FOR}') ?? '')`,
      args: uids,
    });
    const [, json = '[]'] = /```json\s*([\s\S]*?)```/.exec(told) ?? [];
    const marks: string[] = JSON.parse(json);
    return marks;
  } catch {
    if (uids.length < 2) return uids.map(() => '');
    const half = Math.ceil(uids.length / 2);
    return [...(await marksOn(mcp, uids.slice(0, half))), ...(await marksOn(mcp, uids.slice(half)))];
  }
}

function offeredUids(answer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    const [, uid, role = ''] = /^\s*uid=(\S+) (\w+)/.exec(line) ?? [];
    return uid !== undefined && OFFERED_ROLES.has(role) ? uid : [];
  });
}
