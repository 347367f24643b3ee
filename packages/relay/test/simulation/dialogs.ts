import { type FrameOf, V1 } from './peer.ts';
import type { SimulationContext } from './simulation-context.ts';

type Prompt = FrameOf<'permission_prompt'>;

interface Dialog {
  readonly prompt: Prompt;
  /** `withdrawn`: a person answered at the agent; an answer may still arrive. */
  state: 'shown' | 'clicked' | 'withdrawn';
}

/** Dialogs of the agents on a proxy's machine. */
export interface Dialogs {
  readonly show: (session_id: string) => Prompt;
  readonly shown: () => readonly Prompt[];
  /** False when there is none to click: it is gone, or was clicked before. */
  readonly click: (frame: FrameOf<'permission_response'>) => boolean;
  readonly isShown: (frame: FrameOf<'permission_response'>) => boolean;
  /** Withdraws a dialog, as answered at the agent. */
  readonly withdraw: () => Prompt | undefined;
  readonly close: (session_id: string) => void;
}

const CHOICES = [
  { choice_id: 'yes', label: 'Yes', is_default: false },
  { choice_id: 'no', label: 'No', is_default: true },
  { choice_id: 'always', label: 'Always', is_default: false, effect: 'allow' as const },
];

export function createDialogs(context: SimulationContext): Dialogs {
  const { random } = context;
  const dialogs = new Map<string, Dialog>();
  const keyOf = ({ session_id, prompt_id }: { session_id: string; prompt_id: string }) =>
    `${session_id} ${prompt_id}`;
  const shown = () => [...dialogs.values()].filter(({ state }) => state === 'shown');

  return {
    show: (session_id) => {
      const clicked = [...dialogs.values()].find(
        ({ state, prompt }) => state === 'clicked' && prompt.session_id === session_id,
      );
      const timed = random.chance(0.6) ? { timeout_ms: random.int(1_000, 20_000) } : {};
      const prompt: Prompt = {
        type: 'permission_prompt',
        ...V1,
        session_id,
        // CHT-223: a dialog that looks like an earlier one has its id.
        prompt_id: clicked && random.chance(0.3) ? clicked.prompt.prompt_id : context.id('prompt'),
        prompt_text: 'Run it?',
        choices: CHOICES,
        detected_at: context.iso(),
        ...timed,
        ...(random.chance(0.8) && { default_choice: random.pick(['yes', 'no', 'always']) }),
      };
      dialogs.set(keyOf(prompt), { prompt, state: 'shown' });
      return prompt;
    },
    shown: () => shown().map(({ prompt }) => prompt),
    isShown: (frame) => dialogs.get(keyOf(frame))?.state === 'shown',
    click: (frame) => {
      const dialog = dialogs.get(keyOf(frame));
      if (dialog?.state !== 'shown') return false;
      dialog.state = 'clicked';
      return true;
    },
    withdraw: () => {
      const open = shown();
      if (open.length === 0) return undefined;
      const dialog = random.pick(open);
      dialog.state = 'withdrawn';
      return dialog.prompt;
    },
    close: (session_id) => {
      for (const [key, { prompt }] of dialogs) if (prompt.session_id === session_id) dialogs.delete(key);
    },
  };
}
