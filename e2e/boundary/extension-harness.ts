import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '@drawbridge/extension/test/extension-harness';
import { connectChat } from '@drawbridge/link/chat';
import { type Agent, known, openAgent } from './control-harness.ts';

/** A relay, the extension paired with it, an agent with nothing but its token, and a person's phone. */
export interface AttackedExtension extends AsyncDisposable {
  readonly paired: PairedRelay;
  readonly harness: ExtensionHarness;
  readonly agent: Agent;
  /** Texts of the prompts, as the phone shows them. */
  readonly prompts: string[];
  /** Answers of the phone, the last one for all later prompts; no by default. */
  readonly decide: (...choices: ('once' | 'deny')[]) => void;
  readonly lend: (url: string, trusted: boolean) => Promise<LentTab>;
}

/** A tab that the person lent. */
export interface LentTab {
  readonly page: Page;
  readonly tabId: number;
  readonly call: (name: string, args?: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export async function startAttackedExtension(
  options: Parameters<typeof startPairRelay>[0] = {},
): Promise<AttackedExtension> {
  const closing = new AsyncDisposableStack();
  const paired = closing.use(await startPairRelay(options));
  const harness = closing.use(await startExtensionHarness());
  const { relay } = paired;
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  const { token } = await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const phone = connectChat({
    ...{ url: `${relay.url.replace('http', 'ws')}/ws/chat`, token },
    ...{ peer_role: 'browser', client_name: 'test' },
  });
  closing.defer(async () => phone.close());
  const prompts: string[] = [];
  let choices: readonly ('once' | 'deny')[] = ['deny'];
  phone.onEvent((event) => {
    if (event.type !== 'permission_prompt') return;
    const { session_id, prompt_id, prompt_text } = event;
    prompts.push(prompt_text);
    const [choice_id = 'deny', ...later] = choices;
    if (later.length > 0) choices = later;
    // The link may be closed before the answer is stored.
    phone.request({ type: 'permission_response', session_id, prompt_id, choice_id }).catch(() => undefined);
  });
  const agent = await openAgent(relay);
  closing.defer(async () => agent.close());

  const lend: AttackedExtension['lend'] = async (url, trusted) => {
    const page = await harness.open(url);
    const tabId = await harness.tabIdOf(page);
    await harness.ask({ do: 'lend', tabId, ...(trusted && { trusted }) });
    const { runtime_id } = await known(
      agent.bridge,
      ({ runtime_key }) => runtime_key === `chrome-tab:${tabId}`,
    );
    return {
      ...{ page, tabId },
      call: (name, args = {}) => agent.call(name, args, { runtime_id }),
      close: () => page.close(),
    };
  };
  return {
    ...{ paired, harness, agent, prompts, lend },
    decide: (...given) => {
      choices = given;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
