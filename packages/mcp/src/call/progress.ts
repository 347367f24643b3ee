import type { ActionProgress } from '@drawbridge/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';
import { oneLine } from '../answer/fence.ts';

/** Forwards progress to a client that asked for it. MCP requires increasing numbers. */
export function progressTo(ctx: ServerContext): ((progress: ActionProgress) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = 0;
  return ({ progress, total, message, step }) => {
    const words = [step, message].filter((part) => part !== undefined).join(': ');
    last = progress !== undefined && progress > last ? progress : last + 1;
    void ctx.mcpReq
      .notify({
        method: 'notifications/progress',
        params: {
          progressToken,
          progress: last,
          ...(total !== undefined && { total }),
          ...(words !== '' && { message: oneLine(words) }),
        },
      })
      // The client is gone; the call itself is notified.
      .catch(() => {});
  };
}
