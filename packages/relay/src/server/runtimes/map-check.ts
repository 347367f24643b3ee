import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import { type Found, type PageProbe, runChecks } from '@drawbridge/manifest';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { BridgeError } from '@drawbridge/protocol';
import type { MapCheckReport } from '@drawbridge/protocol/http';
import { isObject } from '@drawbridge/protocol/manifest';

/** Whether the page in a lent tab still matches its map. Reads as any agent may, and changes nothing. */
export async function checkMap(
  bridge: Pick<Bridge, 'call'>,
  { runtime_id, ready, status }: RuntimeView,
  now: () => number,
  schemas: Pick<SchemaChecks, 'validateMap'>,
): Promise<MapCheckReport> {
  const url = status?.url ?? ready.url;
  const read = await schemas.validateMap(ready.manifest ?? {}, runtime_id);
  // BRG-14: a tab may bring any map.
  if (read?.ok !== true) return { at: now(), url, ok: false, checks: [], problem: NOT_VALID };
  const { tools, states = [], signals = [], attachments = [], checks = [] } = read.map;
  const parts = { tools, states, signals, attachments };
  const results = await runChecks(checks, parts, probeOf(bridge, runtime_id, url), now);
  return {
    at: now(),
    url,
    ok: results.every(({ status: each }) => each === 'pass' || each === 'skipped'),
    checks: results.map(({ check_id: id, status: each, error }) => ({
      id,
      status: each,
      why: error?.message ?? null,
    })),
  };
}

const NOT_VALID = 'The map is not valid: `drawbridge map validate` says where.';

/** The map engine's page access, through the tab's own primitive. */
function probeOf(bridge: Pick<Bridge, 'call'>, runtime_id: string, url: string): PageProbe {
  return {
    url: async () => url,
    async find(target) {
      const args = { locator: target, auto_scroll: false };
      try {
        const call = bridge.call({ name: 'locator.element_info', arguments: args, runtime_id });
        return parseFound(await call.output);
      } catch (error) {
        if (error instanceof BridgeError && error.code === 'target_not_found')
          return { count: 0, visible: false };
        throw error;
      }
    },
  };
}

function parseFound(output: unknown): Found {
  const found = isObject(output) ? output : {};
  const { candidate_count, visible, selector, used_fallback, text } = found;
  return {
    count: typeof candidate_count === 'number' ? candidate_count : 1,
    visible: visible === true,
    ...(typeof selector === 'string' && { selector }),
    ...(typeof used_fallback === 'boolean' && { usedFallback: used_fallback }),
    ...(typeof text === 'string' && { text }),
  };
}
