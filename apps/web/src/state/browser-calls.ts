import type { MessageDetails } from '@drawbridge/protocol';
import type { Entry } from '@drawbridge/ui/model';

/** As agents name the tools of the server that the proxy gives them: `mcp__drawbridge__act`, `Tool: drawbridge/act`. */
const OWN_TOOL =
  /^(?:\w+: ?)?(?:mcp__)?drawbridge(?:__|[_./]| (?=\w+$))(?:act|inspect|read|screenshot|site|snapshot|tabs|wait)(?:\W.*)?$/s;

export const isBrowserCall = (title: string): boolean => OWN_TOOL.test(title);

const detailsIn = (entry: Entry | undefined): MessageDetails | undefined =>
  entry?.kind === 'message' ? entry.details : undefined;

/** A step of an agent in a tab, as the relay saw it. */
const isStep = (entry: Entry | undefined): boolean =>
  entry?.kind === 'message' && entry.role === 'system' && entry.details?.kind === 'step';

/**
 * Leaves out an agent's report of a browser call, which the relay's own step says better. A call that failed
 * without a step stays: nothing else tells of it.
 */
export const withoutBrowserCalls = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter((entry, at) => {
    const details = detailsIn(entry);
    if (details?.kind !== 'tool_call' || !isBrowserCall(details.title)) return true;
    return details.status === 'failed' && !isStep(entries[at - 1]) && !isStep(entries[at + 1]);
  });
