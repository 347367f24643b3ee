import { focusIn } from './effect/page-state.ts';
import { createElementRegistry } from './identity/element-registry.ts';
import { locate } from './locate/locate.ts';
import type { Locator } from './locate/locator.ts';
import { fitsPattern } from './locate/url-pattern.ts';
import { createPage, type Page, type PageOptions } from './page.ts';
import { openShadowRoot, type ShadowRootOf } from './perceive/composed-tree.ts';
import { type AgentText, carryText, followAgent, noteAddress, noteSupplied } from './secrets/agent-text.ts';
import {
  carrySecrets,
  followSecrets,
  hasSecretField,
  learnIn,
  recall,
  recallForPerson,
} from './secrets/scrub.ts';
import { pageClock } from './watch/clock.ts';
import { hiddenRootsIn } from './watch/shadow-roots.ts';
import { createWatch } from './watch/watch.ts';

/** Takes what secret fields hold and have held out of text that is about to leave the page. */
export type TextCleaner = (text: string) => string;

/** For a host alone, which keeps it for the tab's next document. */
export interface SecretsNotice extends Partial<AgentText> {
  readonly type: 'secrets';
  readonly origin: string;
  readonly kept?: string;
  readonly forgot?: string;
}

/** Secrets of one origin, and texts of the agent, from documents before. */
export interface CarriedSecrets extends AgentText {
  readonly values: readonly string[];
}

/**
 * A page for code that shares its world: with elements, and with its way to keep secrets. None of it is a
 * method of `page`, so no host can call it by name.
 */
export interface PageWorld {
  readonly page: Page;
  /** The element that an id means, while it is in a document; whatever the page has stamped on others. */
  readonly elementOf: (id: string) => Element | undefined;
  /** Everything that a locator means now, refused as `find` refuses it. */
  readonly elementsBy: (locator: Locator) => readonly Element[];
  /** What has the focus, through shadow roots and frames of our own origin. */
  readonly focused: () => Element | undefined;
  /** Of a closed root too, where the host has told it. */
  readonly shadowRootOf: ShadowRootOf;
  /** Another number whenever anything was heard of the page. */
  readonly moment: () => number;
  /** Made anew for each answer, so that it knows what fields hold by then. */
  readonly cleaner: () => TextCleaner;
  /** For what an agent has seen: the fields that were met then, and what came since, are known already. */
  readonly seenCleaner: TextCleaner;
  /** For what a person is asked, which no agent reads. */
  readonly personCleaner: TextCleaner;
  /** Notes what came with a call: an agent must not find a secret by what it writes itself. */
  readonly noteSupplied: (args: unknown) => void;
  /** Calls back with each secret, and with each text of the agent: the next document may repeat both. */
  readonly followSecrets: (hear: (notice: SecretsNotice) => void) => void;
  /** Takes over what documents before this one knew. */
  readonly carrySecrets: (known: CarriedSecrets) => void;
}

export function createPageWorld(options: Omit<PageOptions, 'registry' | 'watch'>): PageWorld {
  const { window, hooks = {}, prefix = '' } = options;
  const { document } = window;
  const { shadowRootOf = openShadowRoot, clock = pageClock, matchesPattern = fitsPattern } = hooks;
  const registry = createElementRegistry(prefix, document);
  const watch = createWatch({ document, clock, shadowRootOf });
  const page = createPage({ ...options, registry, watch });
  const learnAll = () => learnIn([document, ...hiddenRootsIn(document, shadowRootOf)]);
  const scene = { document, shadowRootOf, clock, matchesPattern, clean: recall, cleaner: () => recall };
  noteAddress(document.URL.slice(window.location.origin.length));
  return {
    page,
    elementOf(id) {
      const element = registry.elementOf(id);
      return element?.isConnected === true ? element : undefined;
    },
    elementsBy(locator) {
      learnAll();
      return locate(locator, scene).elements;
    },
    focused: () => focusIn(document, shadowRootOf),
    shadowRootOf,
    moment: watch.moment,
    cleaner() {
      learnAll();
      return recall;
    },
    seenCleaner: recall,
    personCleaner: recallForPerson,
    noteSupplied: (args) =>
      noteSupplied(args, () => (hasSecretField() ? recall(document.documentElement.outerHTML) : '')),
    followSecrets(hear) {
      const { origin } = window.location;
      followSecrets((change) => hear({ type: 'secrets', origin, ...change }));
      followAgent((text) => hear({ type: 'secrets', origin, ...text }));
    },
    carrySecrets({ values, ...text }) {
      carrySecrets(values);
      carryText(text);
    },
  };
}
