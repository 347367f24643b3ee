import type { RelayOptions } from '@drawbridge/relay';
import { createGate, type Gate } from '@drawbridge/testbed';

type Brain = NonNullable<ReturnType<NonNullable<RelayOptions['brain']>>>;
type Answer = Awaited<ReturnType<Brain['step']>>['answer'];
type Plan = NonNullable<Answer['plan']>;
type Request = Parameters<Brain['step']>[0]['request'];

const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
const STEPS = ['Put the lamp into the cart', 'Ask for the delivery', 'Go to the checkout', 'Check the order'];

const planAt = (currentStepIndex: number): Plan => ({
  currentStepIndex,
  steps: STEPS.map((description, index) => ({
    id: `s${index}`,
    index,
    description,
    status: index < currentStepIndex ? 'completed' : index === currentStepIndex ? 'active' : 'pending',
  })),
});

const idOf = ({ interactiveTree = [] }: Request, name: string): string =>
  interactiveTree.find(({ n }) => n === name)?.i ?? '0';

/** A scripted brain that orders a lamp; `hold` pauses it before it asks. */
export function orderingBrain(): { readonly brain: Brain; readonly hold: Gate } {
  const hold = createGate();
  let step = 0;
  const decide = async (request: Request): Promise<Answer> => {
    const { origin } = new URL(request.url);
    switch (step++) {
      case 0:
        return {
          thought: 'This is the lamp you named, and it is in stock.',
          action: `click(${idOf(request, 'Add to cart')})`,
          plan: planAt(0),
        };
      case 1:
        return {
          thought: 'There is one in the cart. The delivery is not chosen yet.',
          action: `navigate("${origin}/cart")`,
          plan: planAt(1),
        };
      case 2:
        await hold.passed();
        return {
          status: 'needs_user_input',
          userQuestion: 'Standard delivery takes 3 to 5 days, express comes tomorrow. Which one?',
          missingInformation: ['delivery', { description: 'an address, if it has changed' }],
          plan: planAt(1),
        };
      case 3:
        return {
          thought: 'Standard delivery. Next is the checkout.',
          action: `click(${idOf(request, 'Checkout')})`,
          plan: planAt(2),
        };
      default:
        return {
          thought: 'The lamp is in the cart, and the checkout is open with **standard delivery**.',
          action: 'finish()',
          plan: planAt(3),
        };
    }
  };
  return {
    hold,
    brain: {
      name: 'scripted',
      step: async ({ request, now: began }) => ({
        memory: { spent: { ...USAGE, steps: 1, began } },
        answer: await decide(request),
        usage: USAGE,
      }),
    },
  };
}
