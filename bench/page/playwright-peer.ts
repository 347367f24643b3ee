import { startMcp } from './mcp-client.ts';
import { installed, OFFERED_ROLES, type Peer } from './peer.ts';
import { STANDS_FOR } from './recall.ts';

export const playwrightPeer: Peer = {
  name: '@playwright/mcp',
  async start({ port }, { session, targetId }) {
    const mcp = await startMcp(installed('@playwright/mcp/cli.js'), [
      '--cdp-endpoint',
      `http://127.0.0.1:${port}`,
    ]);
    // Playwright keeps its references in an isolated world, which every debugger can access.
    let world: number | undefined;
    session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name.includes('playwright_utility') && auxData?.frameId === targetId) world = id;
    });
    await session.send('Runtime.enable');
    return {
      look: () => mcp.call('browser_snapshot', {}),
      async marks(answer) {
        const { result } = await session.send('Runtime.evaluate', {
          expression: `(${READ_MARKS})(${JSON.stringify(offeredRefs(answer))}, ${JSON.stringify(STANDS_FOR)})`,
          returnByValue: true,
          ...(world !== undefined && { contextId: world }),
        });
        return result.value;
      },
      close: mcp.close,
    };
  },
};

function offeredRefs(answer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    const [, role = ''] = /^\s*- '?(\w+)/.exec(line) ?? [];
    const [, ref] = /\[ref=(\w+)\]/.exec(line) ?? [];
    return ref !== undefined && (OFFERED_ROLES.has(role) || line.includes('[cursor=pointer]')) ? ref : [];
  });
}

const READ_MARKS = `(refs, standsFor) => {
  const byRef = new Map();
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element._ariaRef) byRef.set(element._ariaRef.ref, element);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return refs.map((ref) => byRef.get(ref)?.getAttribute(standsFor) ?? '');
}`;
