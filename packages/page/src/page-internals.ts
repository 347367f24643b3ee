import type { Masked, Range } from '@drawbridge/protocol/secrets';
import { focusIn } from './effect/page-state.ts';
import { createElementRegistry } from './identity/element-registry.ts';
import { locate } from './locate/locate.ts';
import type { Locator } from './locate/locator.ts';
import { fitsPattern } from './locate/url-pattern.ts';
import { createPage, type Page, type PageOptions } from './page.ts';
import { openShadowRoot, type ShadowRootOf } from './perceive/composed-tree.ts';
import { type AgentText, carryText, followAgent, noteSupplied } from './secrets/agent-text.ts';
import {
  carrySecrets,
  followSecrets,
  learnIn,
  recall,
  recallForPerson,
  recallParts,
} from './secrets/scrub.ts';
import { pageClock } from './watch/clock.ts';
import { hiddenRootsIn } from './watch/shadow-roots.ts';
import { createWatch } from './watch/watch.ts';

/** Masks current and former contents of secret fields in text that leaves the page. */
export type TextCleaner = (text: string) => string;
export type TextMask = (text: string) => Masked;

/** For the host only, which keeps it for the tab's next document. */
export interface SecretsNotice extends Partial<AgentText> {
  readonly type: 'secrets';
  readonly origin: string;
  readonly kept?: string;
  readonly forgot?: string;
}

/** Secrets of one origin, and texts of the agent, from earlier documents. */
export interface CarriedSecrets extends AgentText {
  readonly values: readonly string[];
}

/**
 * A page for code in the same world, with access to elements and to masking. None of it is a method of
 * `page`, so no host can call it by name.
 */
export interface PageInternals {
  readonly page: Page;
  /** The attached element of an id, whatever the page has stamped on others. */
  readonly elementOf: (id: string) => Element | undefined;
  /** All elements that a locator means now; refuses the same locators as `find`. */
  readonly elementsBy: (locator: Locator) => readonly Element[];
  /** The focused element, through shadow roots and same-origin frames. */
  readonly focused: () => Element | undefined;
  /** Includes closed roots that the host has supplied. */
  readonly shadowRootOf: ShadowRootOf;
  /** Changes with every observed change of the page. */
  readonly moment: () => number;
  /** Created for each answer, so that it knows the current values of fields. */
  readonly cleaner: (other?: Document) => TextCleaner;
  /** For text that an agent has seen: already knows the fields of then and all later values. */
  readonly seenCleaner: TextCleaner;
  /** The same, with the parts that it masks. */
  readonly maskSeen: TextMask;
  /** For a question to a person, which no agent reads. Short secrets stay in what `keeps` finds. */
  readonly maskForPerson: (text: string, keeps: (text: string) => readonly Range[]) => Masked;
  /** Records a call's arguments: an agent must not detect a secret by what it writes itself. */
  readonly recordSupplied: (args: unknown) => void;
  /** Calls back with each secret and each text of the agent, which the next document may repeat. */
  readonly followSecrets: (hear: (notice: SecretsNotice) => void) => void;
  /** Takes over the secrets of earlier documents. */
  readonly carrySecrets: (known: CarriedSecrets) => void;
}

export function createPageInternals(options: Omit<PageOptions, 'registry' | 'watch'>): PageInternals {
  const { window, hooks = {}, prefix = '' } = options;
  const { document } = window;
  const { shadowRootOf = openShadowRoot, clock = pageClock, matchesPattern = fitsPattern } = hooks;
  const registry = createElementRegistry(prefix, document);
  const watch = createWatch({ document, clock, shadowRootOf });
  const page = createPage({ ...options, registry, watch });
  const learnAll = (other?: Document) =>
    learnIn([document, ...hiddenRootsIn(document, shadowRootOf), ...(other === undefined ? [] : [other])]);
  const context = { document, shadowRootOf, clock, matchesPattern, clean: recall, cleaner: () => recall };
  return {
    page,
    elementOf(id) {
      const element = registry.elementOf(id);
      return element?.isConnected === true ? element : undefined;
    },
    elementsBy(locator) {
      learnAll();
      return locate(locator, context).elements;
    },
    focused: () => focusIn(document, shadowRootOf),
    shadowRootOf,
    moment: watch.moment,
    cleaner(other) {
      learnAll(other);
      return recall;
    },
    seenCleaner: recall,
    maskSeen: recallParts,
    maskForPerson: recallForPerson,
    recordSupplied: noteSupplied,
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
