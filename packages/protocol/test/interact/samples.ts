import type { INTERACT_REQUESTS } from '../../src/interact/request.ts';
import type { INTERACT_RESPONSES } from '../../src/interact/response.ts';
import type { SESSION_MESSAGES } from '../../src/interact/session.ts';
import type { SamplesOf } from '../wire/samples-of.ts';

/** One valid message of each kind, with every field it may carry. */

const AT = '2026-01-30T10:00:00.000Z';

export const REQUEST_SAMPLES: SamplesOf<typeof INTERACT_REQUESTS> = {
  interact_request: {
    url: 'https://shop.example/checkout',
    query: 'Place the order',
    taskId: 'e49abedb-f50c-45d2-bf81-62662b6a038e',
    sessionId: '59adf5f0-cddb-42dd-a20d-658ac57278fd',
    tabId: 7,
    domain: 'shop.example',
    title: 'shop.example: Place the order',
    features: ['unchanged_page'],
    tools: [
      {
        name: 'cart.add',
        description: 'Puts an item into the cart.',
        inputSchema: {},
        effect: 'act',
      },
    ],
    domMode: 'semantic',
    interactiveTree: [
      { i: '5', r: 'inp', n: 'Full name', v: 'Ada', s: 'filled', xy: [200, 150], box: [100, 140, 200, 30] },
      { i: '6', r: 'item', n: 'Cart', scr: { depth: '10%', h: true }, f: 2 },
      { i: '99', r: 'btn', n: 'Place order', xy: [600.5, 700], occ: true },
    ],
    semanticNodes: [
      {
        id: '5',
        role: 'textbox',
        name: 'Full name',
        value: 'Ada',
        state: 'focused',
        type: 'text',
        placeholder: 'Your name',
        href: 'https://shop.example/name',
        isInShadow: true,
        frameId: 0,
        bounds: { x: 100, y: 140, width: 200, height: 30 },
      },
    ],
    dom: '<html></html>',
    skeletonDom: '<button id="99">Place order</button>',
    screenshot: '/9j/4AAQSkZJRg==',
    screenshotHash: 'f0e1d2c3b4a59687',
    pageTitle: 'Checkout',
    viewport: { width: 1280, height: 800 },
    scrollPosition: '25%',
    scrollableContainers: [{ id: 'cart-items', depth: '0%', hasMore: true }],
    recentEvents: ["[1s ago] Error: 'Invalid ZIP code'"],
    hasErrors: true,
    hasSuccess: false,
    previousUrl: 'https://shop.example/cart',
    lastActionStatus: 'failure',
    lastActionError: { message: 'No such element', code: 'not_found', action: 'click(98)', elementId: 98 },
    lastActionResult: { success: false, actualState: 'unchanged' },
    clientVerification: {
      elementFound: true,
      selector: '#total',
      urlChanged: false,
      timestamp: 1769767200000,
    },
    clientObservations: { didNetworkOccur: true, didDomMutate: true, didUrlChange: false },
    verification_passed: false,
    verification_message: 'The ZIP code was refused',
    errors_detected: ['Invalid ZIP code'],
    success_messages: ['Shipping calculated'],
    dom_filtered: true,
    filter_reason: 'Only the checkout form matters',
    original_node_count: 5_000,
    token_reduction: 97.5,
    lastExecutedActionIndex: 1,
    chainPartialState: {
      executedActions: ['setValue(5, "Ada")'],
      totalActionsInChain: 3,
      domAfterLastSuccess: '<form></form>',
    },
    chainActionError: {
      action: 'click(98)',
      message: 'No such element',
      code: 'not_found',
      elementId: '2-98',
      failedIndex: 1,
    },
    chainError: { action: 'click(98)', message: 'No such element', code: 'not_found', failedIndex: 1 },
  },
};

const plan = {
  steps: [
    {
      id: 'step_0',
      index: 0,
      description: 'Open the checkout',
      status: 'completed' as const,
      toolType: 'DOM' as const,
      reasoning: 'The cart is full',
      expectedOutcome: { urlContains: 'checkout' },
    },
    {
      id: 'step_1',
      index: 1,
      description: 'Place the order',
      status: 'active' as const,
      toolType: 'MIXED' as const,
    },
  ],
  currentStepIndex: 1,
  createdAt: AT,
};

const beside = {
  actionDetails: { name: 'click', elementId: 99, selectorPath: '#order', args: { button: 'left' } },
  taskId: 'e49abedb-f50c-45d2-bf81-62662b6a038e',
  sessionId: '59adf5f0-cddb-42dd-a20d-658ac57278fd',
  plan,
  currentStep: 1,
  totalSteps: 2,
  reasoning: 'The form is complete',
  userQuestion: 'Shall I pay by card?',
  missingInformation: ['payment method'],
  result: { orderId: 'A-1' },
};

const step = { thought: "I'll place the order.", action: 'click(99)', ...beside };

export const RESPONSE_SAMPLES: SamplesOf<typeof INTERACT_RESPONSES> = {
  next_step: { success: true, data: { ...step, status: 'executing' } },
  needs_context: {
    success: true,
    data: {
      ...step,
      status: 'needs_context',
      requestedDomMode: 'hybrid',
      needsScreenshot: true,
      needsSkeletonDom: true,
      reason: 'The tree does not tell colours',
    },
  },
  needs_user_input: { success: true, data: { ...step, status: 'needs_user_input' } },
  bare_step: { ...step, status: 'executing' },
  error: { success: false, code: 'invalid_request', message: 'url must be a string', path: 'url' },
};

const message = {
  messageId: 'm-1',
  role: 'assistant' as const,
  content: 'Opening the checkout',
  timestamp: AT,
  status: 'success' as const,
  sequenceNumber: 1,
  actionPayload: { name: 'click' },
  actionString: 'click(12)',
  error: { code: 'none' },
  domSummary: 'A cart with two items',
  metadata: { model: 'small' },
};

const sessionId = '59adf5f0-cddb-42dd-a20d-658ac57278fd';

export const SESSION_SAMPLES: SamplesOf<typeof SESSION_MESSAGES> = {
  session_found: {
    session: {
      sessionId,
      title: 'shop.example: Place the order',
      domain: 'pay.example',
      url: 'https://pay.example/',
      isRenamed: false,
      tabId: 7,
      metadata: { initialUrl: 'https://shop.example/', initialDomain: 'shop.example' },
      createdAt: AT,
      updatedAt: AT,
    },
  },
  session_rename: { title: 'My order' },
  session_messages: { sessionId, messages: [message], total: 1, sessionExists: true },
  new_message: { type: 'new_message', sessionId, message },
};
