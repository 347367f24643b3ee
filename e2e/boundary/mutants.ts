import type { Mutant } from './mutated-tree.ts';

const CDP = 'e2e/boundary/control-cdp.browser.test.ts';
const LOCAL = 'e2e/boundary/local-network.browser.test.ts';
const WORDS = 'e2e/boundary/words.browser.test.ts';
const SELF_SENT = 'e2e/boundary/self-sent.browser.test.ts';
const QUESTION = 'e2e/boundary/question.browser.test.ts';
const PRESS = 'e2e/boundary/press.browser.test.ts';
const REPEATS = 'e2e/boundary/press-repeats.browser.test.ts';
const SECRETS = 'e2e/boundary/secrets.browser.test.ts';
const PROOF = 'e2e/boundary/owner-proof.test.ts';
const GUARD = 'packages/relay/src/server/guard/guard.test.ts';

const PAGE = 'packages/page/src';
const CDP_HOST = 'packages/runtime/src/hosts/cdp';
const GRANTS = 'packages/runtime/src/grants';
const DEVICES = 'packages/relay/src/devices';

/** One for each defence of the boundary that a small edit disarms. */
export const MUTANTS: readonly Mutant[] = [
  {
    defence: 'the relay is not recognized at other loopback names',
    of: ['packages/runtime/src/address', 'createControlPlane'],
    changes: [{ find: 'loopbackPorts.has(port) && isLoopbackName(name)', replace: 'false' }],
    test: [CDP, 'no tab is opened at or sent to the relay'],
  },
  {
    defence: 'a tab that ends at the relay is kept',
    of: [CDP_HOST, 'TabState'],
    changes: [{ find: 'if (this.#forbidden.has($url)) this.forbid();', replace: '' }],
    test: [CDP, 'a tab that is redirected to the relay is given back'],
  },
  {
    defence: 'the meta element of a relay’s page means nothing',
    of: [`${PAGE}/calls`, 'watchControlPage'],
    changes: [{ find: '$is ||= $_;', replace: '' }],
    test: [CDP, 'page code answers nothing once the page declares itself'],
  },
  {
    defence: 'an address for programs is shown as a page',
    of: ['packages/relay/src/server/guard', 'isShownPage'],
    changes: [{ find: '!$shown.has($dest) || !$path.test($_)', replace: 'true' }],
    test: [GUARD, 'an address for programs is never shown as a page'],
  },
  {
    defence: 'a private address is opened unasked',
    of: ['packages/runtime/src/call', 'createAddressGate'],
    changes: [{ find: '$network?.isOpen(url) === false', replace: 'false' }],
    test: [LOCAL, 'a tab that was redirected or pressed there answers nothing before a yes'],
  },
  {
    defence: 'an address is opened without a look at the links to it',
    of: [GRANTS, 'effectOfAddress'],
    changes: [{ find: "effectOfPress($each) === 'irreversible'", replace: 'false' }],
    test: ['e2e/boundary/offered-addresses.browser.test.ts', 'as about the press on it'],
  },
  {
    defence: 'an overlay loads what it names',
    of: [`${PAGE}/calls`, 'createOverlays'],
    changes: [{ find: '$policy + html', replace: 'html' }],
    test: [LOCAL, 'an overlay loads nothing'],
  },
  {
    defence: 'a proof counts twice',
    of: [DEVICES, 'createProofs'],
    changes: [{ find: "if ($used.has($name)) return 'bad';", replace: '' }],
    test: [PROOF, 'a captured proof is refused again'],
  },
  {
    defence: 'a proof counts for another path',
    of: [DEVICES, 'createProofs'],
    changes: [{ find: 'path !== asked.path', replace: 'false' }],
    test: [PROOF, 'a captured proof is refused again'],
  },
  {
    defence: 'a link needs no confirmation',
    of: [DEVICES, 'CONFIRMATION_HEADER'],
    changes: [{ find: 'if ($bearer(c)) return;', replace: 'return;', times: 1 }],
    test: [PROOF, 'cookie and proof alone give nobody access'],
  },
  {
    defence: 'a confirmation counts for another request',
    of: [DEVICES, 'createConfirmations'],
    changes: [{ find: '$one.request !== request', replace: 'false' }],
    test: [PROOF, 'cookie and proof alone give nobody access'],
  },
  {
    defence: 'the limit of failures comes before a valid credential',
    of: ['packages/relay/src/server/guard', 'createCredentials'],
    changes: [{ find: "if ($shown !== 'refused') return $shown;", replace: '' }],
    test: ['packages/relay/src/server/limits.test.ts', 'with wrong tokens from loopback'],
  },
  {
    defence: 'only the named container is classified, not the button inside',
    of: [`${PAGE}/calls`, 'pressContextsOn'],
    changes: [{ find: '$o.length === 0 ? own : $_', replace: 'own' }],
    test: [PRESS, 'a press that lands inside is asked about'],
  },
  {
    defence: 'other frames get input during a press',
    of: [`${PAGE}/calls`, 'shieldInput'],
    changes: [{ find: '!$up || !$event.isTrusted || $_', replace: 'true' }],
    test: [PRESS, 'a frame of another site that is swapped in gets nothing'],
  },
  {
    defence: 'the guard lets a press reach another element',
    of: [`${PAGE}/act`, 'createPressGuard'],
    changes: [{ find: '$meant ? undefined : describe($_, $_)', replace: 'undefined' }],
    test: [PRESS, '[finding 9]'],
  },
  {
    defence: 'a press goes on after the page changed its target',
    of: [`${PAGE}/calls`, 'mayContinue'],
    changes: [
      { find: 'isNoRiskier($a, $b) && sendsSame($a, $b) && saysNothingNew($a, $b)', replace: 'true' },
    ],
    test: [REPEATS, '[B9]'],
  },
  {
    defence: 'a short word may become another during a press',
    of: [`${PAGE}/calls`, 'mayContinue'],
    changes: [{ find: 'known.length > $short || $_', replace: 'true' }],
    test: [REPEATS, 'to a longer word that a short one begins'],
  },
  {
    defence: 'a style sheet may add words during a press',
    of: [`${PAGE}/act`, 'createPresses'],
    changes: [{ find: 'styledTexts(press.classifiedElements) === styled', replace: 'true' }],
    test: [REPEATS, 'by a rule of its style sheet'],
  },
  {
    defence: 'a closed shadow root stays closed for a press',
    of: [CDP_HOST, 'reachedElement'],
    changes: [{ find: "'unseen' in each", replace: 'false' }],
    test: [WORDS, 'reads a label in the order in which it is drawn'],
  },
  {
    defence: 'a yes counts for other content',
    of: ['packages/runtime/src/call', 'askUntilSame'],
    changes: [
      { find: 'sameContent($a, $b, $c)', replace: 'true' },
      { find: '$before.form?.what === $after?.form?.what', replace: 'true' },
    ],
    test: [QUESTION, 'a yes to the first version pays nothing'],
  },
  {
    defence: 'a yes counts for another secret behind the same mask',
    of: ['packages/runtime/src/call', 'askUntilSame'],
    changes: [{ find: '$before.covered?.token === $after?.covered?.token', replace: 'true' }],
    test: [QUESTION, 'echo: a yes to the first version pays nothing'],
  },
  {
    defence: 'a reload sends a form again',
    of: [CDP_HOST, 'navigate'],
    changes: [{ find: '!$http($url)', replace: 'true' }],
    test: ['e2e/boundary/gullible-payments.browser.test.ts', 'repeats it by no reload, back or address'],
  },
  {
    defence: 'names in a question are not quoted',
    of: ['packages/protocol/src/permission', 'plainLine'],
    changes: [{ find: "$text.replace($seen, ' ')", replace: '$text' }],
    test: ['packages/runtime/src/grants/question.test.ts', 'finding 8'],
  },
  {
    defence: 'a bland name hides the visible text of a button',
    of: [`${PAGE}/calls`, 'wordsOf'],
    changes: [{ find: '[shownNameOf(element), visible, ...$d]', replace: '[shownNameOf(element)]' }],
    test: [WORDS, 'however its words are hidden'],
  },
  {
    defence: 'look-alike letters are other letters',
    of: ['packages/protocol/src/wording', 'foldLetters'],
    changes: [{ find: '$LATIN.get($l) ?? $l', replace: '$l', times: 2 }],
    test: ['packages/protocol/src/wording/wording.test.ts', ''],
  },
  {
    defence: 'camelCase is one word',
    of: ['packages/protocol/src/wording', 'readingsOf'],
    changes: [{ find: "text.replace($a, '$1 ').replace($b, '$1 ')", replace: 'text' }],
    test: ['packages/protocol/src/wording/wording.test.ts', ''],
  },
  {
    defence: 'a tab or link in a password form is harmless',
    of: [`${PAGE}/calls`, 'elementContextOn'],
    changes: [{ find: '$sensitive && $pressed(by) && !$_', replace: 'false' }],
    test: [WORDS, 'asks about every press in a form with a password'],
  },
  {
    defence: 'the words of a dialog do not count for its buttons',
    of: [`${PAGE}/calls`, 'dialogTextsOf'],
    changes: [{ find: '$asks.length + $heads.length === 0', replace: 'true' }],
    test: [WORDS, "asks about a button that confirms its dialog's question"],
  },
  {
    defence: 'words count in the order of the source',
    of: [`${PAGE}/calls`, 'drawnOrderOf'],
    changes: [{ find: '[...new Set(drawn)]', replace: '[]' }],
    test: [WORDS, 'reads a label in the order in which it is drawn'],
  },
  {
    defence: 'a word behind a mask is no word',
    of: [GRANTS, 'effectOfPress'],
    changes: [{ find: '$context.covered?.words === true', replace: 'false' }],
    test: [WORDS, 'asks where a mask covers a button’s word'],
  },
  {
    defence: 'a question shows short secrets',
    of: [`${PAGE}/secrets`, 'recallForPerson'],
    changes: [{ find: '$mask($rest, $short, { kept: $_ })', replace: '{ text: $rest, hidden: [] }' }],
    test: [WORDS, 'asks where a mask covers a button’s word'],
  },
  {
    defence: 'a form sent by POST asks nobody',
    of: [`${PAGE}/calls`, 'formSubmitOf'],
    changes: [{ find: "method !== 'post'", replace: 'true' }],
    test: [WORDS, 'asks about every native way to submit a form by POST'],
  },
  {
    defence: 'a form is the same with another amount',
    of: [`${PAGE}/calls`, 'formSubmitOf'],
    changes: [{ find: '[method, $to, ...$fields, ...amounts]', replace: '[method, $to]' }],
    test: [WORDS, "asks again when a form's amounts, labels or hidden values change"],
  },
  {
    defence: 'a page may send its form during an act',
    of: [`${PAGE}/calls`, 'createFormHold'],
    changes: [{ find: 'performance.now() < $until', replace: 'false' }],
    test: [SELF_SENT, 'asks about a POST form that the page sends because of what the agent does'],
  },
  {
    defence: 'a form for a new window is not stopped',
    of: [`${PAGE}/calls`, 'createFormHold'],
    changes: [{ find: 'cancelSubmission(form);', replace: '', times: 2 }],
    test: [SELF_SENT, 'a form for a new window is asked about'],
  },
  {
    defence: 'selectors read the page with its secrets',
    of: [`${PAGE}/locate`, 'copyForSelector'],
    changes: [{ find: '!$_.test(selector) || !$knows()', replace: 'true' }],
    test: [SECRETS, 'a CVC'],
  },
  {
    defence: 'a mask tells a right guess of the agent from a wrong one',
    of: ['packages/protocol/src/secrets', 'maskEchoes'],
    changes: [{ find: '$from <= start && end <= $to', replace: 'false' }],
    test: ['packages/protocol/src/secrets/echo-mask.test.ts', ''],
  },
  {
    defence: 'an agent starts with every variable',
    of: ['packages/protocol/src/wire', 'childEnvironment'],
    changes: [{ find: '$patterns.some($_)', replace: 'true' }],
    test: [
      'e2e/boundary/agent-environment.test.ts',
      'finding 10: an agent behind the proxy gets only ordinary variables',
    ],
  },
  {
    defence: 'characters without a glyph reach a model',
    of: ['packages/protocol/src/wire', 'visibleText'],
    changes: [{ find: "$keep($found) ? $found : ''", replace: '$found' }],
    test: ['packages/protocol/src/wire/visible-text.test.ts', ''],
  },
  {
    defence: 'an answer to another question counts',
    of: [GRANTS, 'createGatekeeper'],
    changes: [
      {
        find: "$answer.decision === 'deny' || $answer.call_hash !== call_hash",
        replace: "$answer.decision === 'deny'",
      },
    ],
    test: ['packages/runtime/src/grants/gatekeeper.test.ts', 'ignores an answer to another call'],
  },
];
