import { type Static, Type } from 'typebox';
import { AnyObject, Count, Id, Label, SafeString, UrlOfAPage } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { pageSigns, SemanticNode, SemanticNodeV2 } from './semantic-tree.ts';

const text = (limit: { readonly value: number }) => Type.String({ maxLength: limit.value });

export const DomMode = Type.Enum(['semantic', 'skeleton', 'hybrid', 'full']);

/** A number in the oldest clients; a string with a frame prefix. */
export const ElementId = Type.Union([Type.Integer({ minimum: 1 }), Id]);

/** A picture as bare base64: no `data:` prefix, no line breaks. */
const Screenshot = Type.String({
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  maxLength: LIMITS.screenshot.value,
  description: `bare base64 of at most ${LIMITS.screenshot.value} characters`,
});

const page = {
  domMode: Type.Optional(DomMode),
  interactiveTree: Type.Optional(Type.Array(SemanticNode)),
  semanticNodes: Type.Optional(Type.Array(SemanticNodeV2)),
  dom: Type.Optional(text(LIMITS.dom)),
  skeletonDom: Type.Optional(text(LIMITS.skeleton_dom)),
  screenshot: Type.Optional(Type.Union([Screenshot, Type.Null()])),
  screenshotHash: Type.Optional(text(LIMITS.screenshot_hash)),
  pageTitle: Type.Optional(text(LIMITS.page_title)),
  ...pageSigns,
};

/** The client's report of its last action. */
const lastAction = {
  previousUrl: Type.Optional(UrlOfAPage),
  lastActionStatus: Type.Optional(Type.Enum(['success', 'failure', 'pending'])),
  lastActionError: Type.Optional(
    Type.Object({ message: Label, code: Id, action: Label, elementId: Type.Optional(ElementId) }),
  ),
  lastActionResult: Type.Optional(
    Type.Object({ success: Type.Boolean(), actualState: Type.Optional(Type.String()) }),
  ),
  clientVerification: Type.Optional(
    Type.Object({
      elementFound: Type.Boolean(),
      selector: Type.Optional(Label),
      urlChanged: Type.Optional(Type.Boolean()),
      timestamp: Type.Optional(Type.Number()),
    }),
  ),
  clientObservations: Type.Optional(
    Type.Object({
      didNetworkOccur: Type.Optional(Type.Boolean()),
      didDomMutate: Type.Optional(Type.Boolean()),
      didUrlChange: Type.Optional(Type.Boolean()),
    }),
  ),
  verification_passed: Type.Optional(Type.Boolean()),
  verification_message: Type.Optional(text(LIMITS.verification_message)),
  errors_detected: Type.Optional(
    Type.Array(text(LIMITS.event_text), { maxItems: LIMITS.verification_messages.value }),
  ),
  success_messages: Type.Optional(
    Type.Array(text(LIMITS.event_text), { maxItems: LIMITS.verification_messages.value }),
  ),
};

/** Filtering of a large page by the client. */
const filter = {
  dom_filtered: Type.Optional(Type.Boolean()),
  filter_reason: Type.Optional(text(LIMITS.event_text)),
  original_node_count: Type.Optional(Count),
  token_reduction: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
};

const ChainError = Type.Object({
  action: Label,
  message: Label,
  code: Id,
  elementId: Type.Optional(ElementId),
  failedIndex: Count,
});

/** Progress of a client that ran several actions at once. */
const chain = {
  lastExecutedActionIndex: Type.Optional(Count),
  chainPartialState: Type.Optional(
    Type.Object({
      executedActions: Type.Array(Type.String()),
      totalActionsInChain: Count,
      domAfterLastSuccess: Type.Optional(Type.String()),
    }),
  ),
  chainActionError: Type.Optional(ChainError),
  /** The newer document's name for the same. */
  chainError: Type.Optional(ChainError),
};

/** Ours: an action that a map declares on this page, for clients that list `call` in `features`. */
export const MapTool = Type.Object({
  name: Id,
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  inputSchema: Type.Optional(AnyObject),
  effect: Type.Optional(Type.Enum(['read', 'act', 'irreversible'])),
});

/** INT-323: a file that this client has uploaded. */
export const Attachment = Type.Object({
  s3Key: Id,
  filename: Type.String({ minLength: 1, maxLength: 500 }),
  mimeType: Type.String({ minLength: 1, maxLength: 100 }),
  size: Type.Integer({ minimum: 1 }),
});

export const TaskType = Type.Enum(['web_only', 'web_with_file', 'chat_only']);

export const InteractRequest = Type.Object({
  url: UrlOfAPage,
  query: Type.String({ minLength: 1, maxLength: LIMITS.query.value }),
  taskId: Type.Optional(SafeString),
  sessionId: Type.Optional(SafeString),
  tabId: Type.Optional(Type.Integer({ minimum: 1 })),
  domain: Type.Optional(text(LIMITS.domain)),
  title: Type.Optional(text(LIMITS.page_title)),
  features: Type.Optional(Type.Array(Id)),
  tools: Type.Optional(Type.Array(MapTool, { maxItems: 500 })),
  attachment: Type.Optional(Attachment),
  taskType: Type.Optional(TaskType),
  ...page,
  ...lastAction,
  ...filter,
  ...chain,
});

export const INTERACT_REQUESTS = { interact_request: InteractRequest } as const;

export type DomMode = Static<typeof DomMode>;
export type ElementId = Static<typeof ElementId>;
export type InteractRequest = Static<typeof InteractRequest>;
export type Attachment = Static<typeof Attachment>;
export type MapTool = Static<typeof MapTool>;
