import { type InteractRequest, LIMITS } from '@drawbridge/protocol';
import type { LastAct, TaskSpec } from './task-event.ts';
import type { Perceived } from './task-page.ts';

/** Actions beyond contract 4's own (INT-23, INT-120); `grants`: the runtime asks a person itself. */
export const TASK_FEATURES = [
  ...['select', 'check', 'uncheck', 'hover', 'press', 'back', 'wait', 'call'],
  'grants',
] as const;

interface Call {
  readonly task: TaskSpec;
  readonly seen: Perceived;
  /** The task's query, or the person's messages since. */
  readonly query: string;
  readonly taskId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly last?: LastAct | undefined;
}

/** One call of contract 4: semantic first, with no heavier artifact than the look contains (INT-76…83). */
export function interactRequest({ task, seen, query, taskId, sessionId, last }: Call): InteractRequest {
  const { tabId } = task;
  return {
    url: seen.url,
    query: query.slice(0, LIMITS.query.value),
    ...(taskId !== undefined && { taskId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(tabId !== undefined && { tabId }),
    features: [...TASK_FEATURES],
    ...(seen.tools !== undefined && seen.tools.length > 0 && { tools: seen.tools.slice(0, MOST_TOOLS) }),
    ...pageOf(seen),
    ...(last !== undefined && sayingOf(last, seen.url)),
  };
}

const MOST_TOOLS = 500;

function pageOf(seen: Perceived): Partial<InteractRequest> {
  const { viewport, scrollPosition, scrollableContainers, recentEvents, hasErrors, hasSuccess } = seen;
  const { domMode = 'semantic', semanticNodes, skeletonDom, dom, screenshot, filtered } = seen;
  // A server that receives a tree, even an empty one, may look no further (INT-258).
  const hasTree = domMode === 'semantic' && (semanticNodes ?? []).length === 0;
  return {
    domMode,
    ...(hasTree && { interactiveTree: [...seen.interactiveTree] }),
    pageTitle: seen.title.slice(0, LIMITS.page_title.value),
    ...(semanticNodes !== undefined && { semanticNodes: [...semanticNodes] }),
    ...(viewport !== undefined && { viewport }),
    ...(scrollPosition !== undefined && { scrollPosition }),
    ...(scrollableContainers !== undefined && { scrollableContainers }),
    ...(recentEvents !== undefined && {
      recentEvents: texts(recentEvents, LIMITS.recent_events.value),
    }),
    ...(hasErrors !== undefined && { hasErrors }),
    ...(hasSuccess !== undefined && { hasSuccess }),
    ...(filtered !== undefined && filtered),
    ...(skeletonDom !== undefined && { skeletonDom: skeletonDom.slice(0, LIMITS.skeleton_dom.value) }),
    ...(dom !== undefined && { dom: dom.slice(0, LIMITS.dom.value) }),
    ...(screenshot !== undefined && { screenshot: screenshot.image }),
    ...(screenshot?.hash !== undefined && { screenshotHash: screenshot.hash }),
  };
}

function sayingOf(last: LastAct, url: string): Partial<InteractRequest> {
  const { errors_detected, success_messages, verification_message, ...plain } = last;
  const { clientObservations } = last;
  // A page may navigate after the action was reported.
  const hasMoved = url !== last.previousUrl;
  const most = LIMITS.verification_messages.value;
  return {
    ...plain,
    ...(clientObservations !== undefined &&
      hasMoved && { clientObservations: { ...clientObservations, didUrlChange: true } }),
    ...(verification_message !== undefined && {
      verification_message: verification_message.slice(0, LIMITS.verification_message.value),
    }),
    ...(errors_detected !== undefined && { errors_detected: texts(errors_detected, most) }),
    ...(success_messages !== undefined && { success_messages: texts(success_messages, most) }),
  };
}

const texts = (all: readonly string[], most: number): string[] =>
  all.slice(-most).map((text) => text.slice(0, LIMITS.event_text.value));
