/** Small maps with the shapes of public ones, by the kind of map. */

const EMPTY = { type: 'object', properties: {}, additionalProperties: false };
const workflow = (...steps: object[]) => ({ version: 1, expression_language: 'jsonata', steps });
const CLICK = {
  x: '{% steps.find.output.clickable_center.x %}',
  y: '{% steps.find.output.clickable_center.y %}',
};
const found = (selector: string) => ({
  id: 'find',
  primitive: 'locator.element_info',
  args: { locator: { selector } },
});

/** Every part that the reference of the format has an example for; valid without a migration. */
export const REFERENCE = {
  protocol: 'actions.json',
  version: 1,
  surface: { origin: 'https://tracker.example', kind: 'issue_page', description: 'An issue.' },
  imports: [],
  context: [
    {
      id: 'issue.context',
      title: 'Issue',
      body: 'Read the title first.',
      load_when: { states: ['issue_visible'] },
    },
  ],
  states: [
    {
      name: 'issue_visible',
      diagnostics: [{ name: 'title', description: 'The title is there.', target: { selectors: ['h1'] } }],
      observables: ['title'],
    },
  ],
  transitions: [
    {
      name: 'submit_name',
      from: 'issue_visible',
      to: 'issue_visible',
      tool: 'contact.submit_name',
      convergence: { complete_when: 'submitted', max_attempts: 2 },
    },
  ],
  tools: [
    {
      name: 'contact.submit_name',
      description: 'Fill in the name and send it.',
      input_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      target: { selector: '#contact', state: 'issue_visible', fallback_selectors: ['main form'] },
      x_actions: {
        direction: 'agent_to_html',
        handler: 'contactForm.submitName',
        scope: 'active_surface',
        source: { files: ['index.html'], selectors: ['#name'] },
        execution: {
          mode: 'handler_first',
          fallback: 'steps_on_missing_handler_or_drift',
          steps: [
            { id: 'type_name', type: 'type', target: { selector: '#name' }, value_from: 'name' },
            { id: 'wait_for_result', type: 'wait', until: { selector: '#result' }, timeout_ms: 2000 },
            { id: 'extract_result', type: 'extract', target: { selector: '#result' }, as: 'result' },
          ],
        },
        result_schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
      },
    },
  ],
  signals: ['launcher.opened', 'launcher.attached'].map((name) => ({
    name,
    direction: 'html_to_agent',
    event: `actions-json:${name.replace('.', '-')}`,
    ingestion: 'enabled',
    payload: { type: 'object', properties: { launcher_id: { type: 'string' } } },
    source: { files: ['src/content.js'] },
  })),
  attachments: [
    {
      id: 'issue-path',
      kind: 'overlay_launcher',
      target: { selectors: ['h1'], url_contains: '/issue/' },
      affordance: {
        label: 'Path',
        placement: 'afterend',
        opens: { tool: 'overlay.open', arguments: { title: 'Path' } },
      },
      lifecycle: {
        install: 'when_target_matches',
        remove: 'when_context_mismatch',
        reattach: 'on_url_or_dom_change',
      },
      signals: { activated: 'launcher.opened', attached: 'launcher.attached' },
    },
  ],
  checks: [
    {
      id: 'launcher_is_there',
      severity: 'major',
      setup: [{ type: 'navigate', url: 'https://tracker.example/issue/1' }],
      assertions: [{ target: { selector: '[data-launcher]' }, visible: true, expected_text: 'Path' }],
      negative_assertions: [{ url_contains: '/board/', selector: '[data-launcher]', visible: false }],
      on_fail: { store_evidence: ['url'], contingency: 'handoff_to_user' },
    },
  ],
  provenance: { created_by: 'maintainers', updated_at: '2026-06-02' },
};

const FIRST_DRAFT = {
  protocol: 'actions.json',
  version: 1,
  actions: [
    {
      name: 'submit_name',
      description: 'Fill in the name and send it.',
      input_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: {
        type: 'dom',
        steps: [
          { op: 'setValue', selector: '#name', valueFrom: 'name' },
          { op: 'click', selector: '#submit' },
        ],
      },
      result: { selector: '#result' },
    },
  ],
};

/** Primitives as handlers, each bound to some pages. */
export const BOUND = {
  protocol: 'actions.json',
  version: '0.1.0-working',
  surface: {
    origin: 'https://people.example',
    name: 'Profiles',
    observed_url: 'https://people.example/in/me/',
  },
  prompt: { title: 'Profiles', instructions: 'Scroll the main element.', source: { selectors: ['main'] } },
  requires: { primitive_dictionary: { version: 1, required_primitives: ['browser.extract_elements'] } },
  tools: [
    {
      name: 'profile.text.read',
      description: 'Read the text of the profile.',
      input_schema: EMPTY,
      x_actions: {
        handler: 'dom.snapshot_text',
        binding: { target_url_contains: 'people.example/in/', arguments: { max_chars: 12_000 } },
        source: { component: 'Profile' },
      },
    },
    {
      name: 'profile.picture',
      description: 'Take a picture.',
      input_schema: EMPTY,
      x_actions: {
        handler: 'browser.screenshot',
        binding: { target_url_contains: 'people.example/in/', arguments: { format: 'jpeg', max_kb: 250 } },
      },
    },
  ],
  workflows: [{ name: 'collect', steps: ['profile.text.read'] }],
};

/** A surface that is a word, where the map applies in `scope`, a workflow that fetches. */
const SHEET = {
  protocol: 'actions.json',
  version: 1,
  surface: 'spreadsheet',
  scope: { url_matches: 'https://sheets.example/d/*' },
  prompt: 'The grid is a canvas.',
  requires: [],
  tools: [
    {
      name: 'sheets.read',
      description: 'Read the grid.',
      input_schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      workflow: {
        ...workflow({
          id: 'get',
          primitive: 'page.fetch',
          args: { url: "{% 'https://sheets.example/d/' & input.id & '/html' %}" },
        }),
        output: '{% steps.get.output.status %}',
      },
    },
  ],
  workflows: [],
  state_projections: [],
  quality_score: null,
};

/** Hides the agent's window before each press, finds by role, proves by projections. */
export const BOOK = {
  protocol: 'actions.json',
  version: '0.1.0',
  surface: {
    origin: 'https://book.example',
    surface_id: 'book',
    url_patterns: ['https://book.example/book/*'],
  },
  scope: { url_matches: 'https://book.example/book/*' },
  prompt: { role: 'Guide', mission: 'Help the learner.' },
  states: [{ name: 'page_ready', description: 'A page is shown.' }],
  tools: [
    {
      name: 'book.next',
      description: 'Turn the page.',
      input_schema: EMPTY,
      workflow: {
        ...workflow(
          { id: 'hide', primitive: 'overlay.menu.hide', on_error: 'continue' },
          { id: 'find', primitive: 'a11y.query', args: { role: 'link', name_contains: 'Next' } },
          { id: 'press', primitive: 'pointer.click', args: CLICK, settle_after: { delay_ms: 10 } },
          { id: 'show', primitive: 'overlay.menu.show', on_error: 'continue' },
        ),
        x_state_machine: { states: ['readiness', 'navigation', 'postcondition'] },
        output: "{% {'requested': true} %}",
      },
    },
  ],
  state_projections: [
    {
      name: 'book.page',
      scope: { url_matches: 'https://book.example/book/*' },
      snapshot: {
        version: 1,
        source: 'dom',
        extract: [
          {
            id: 'title',
            selector: 'h1',
            fields: { text: { property: 'innerText', trim: true, default: '' } },
          },
          { id: 'first', xpath: '//section[1]', property: 'innerText' },
        ],
        projection: {
          language: 'jsonata',
          expression: "{% {'source_url': url, 'title': records.title.text} %}",
        },
        output_schema: { type: 'object', required: ['source_url'] },
      },
      summaries: [{ name: 'agent_context', max_bytes: 3000, expression: "{% {'title': state.title} %}" }],
      postconditions: {
        'book.next': {
          projection: 'book.page',
          verify: { language: 'jsonata', expression: '{% state.source_url != $$.input.current %}' },
          failure_message: 'The next page did not come.',
        },
      },
    },
  ],
  deferred_tools: [{ name: 'book.save', reason: 'Not yet.' }],
};

/** A tool that tells a person what to do, and one that names its transitions. */
const DESCRIBED = {
  protocol: 'actions.json',
  version: 1,
  surface: { origin: 'https://tracker.example' },
  observed_at: '2026-06-02T12:00:00Z',
  states: [{ name: 'loaded', diagnostics: [{ name: 'heading', description: 'Look for the row.' }] }],
  transitions: [{ name: 'locate', from: 'loaded', to: 'loaded', preconditions: ['user_is_there'] }],
  tools: [
    {
      name: 'view.create',
      description: 'Create a view.',
      input_schema: { type: 'object', properties: { name: { type: 'string' } } },
      result_schema: { type: 'object', properties: { url: { type: 'string' } } },
      x_actions: {
        navigation: [
          { step: 'open_views', method: 'navigate', url_template: 'https://tracker.example/{team}' },
          { step: 'name_view', method: 'fill', selector_hints: ["input[name='name']"], value_from: 'name' },
        ],
      },
    },
    {
      name: 'row.collect',
      description: 'Collect the cards.',
      input_schema: EMPTY,
      x_actions: {
        scope: 'active_surface',
        state_machine: { initial_state: 'loaded', transitions: ['locate'] },
      },
    },
  ],
};

/** Without a version and without an expression in its projection. */
const UNVERSIONED = {
  protocol: 'actions.json',
  name: 'cards',
  x_actions: { files: [{ id: 'skill', path: 'SKILL.md', kind: 'skill' }] },
  state_projections: [{ name: 'cards', snapshot: { version: 1, source: 'dom', extract: [] } }],
  tools: [
    {
      name: 'card.find',
      description: 'Find a card.',
      input_schema: { type: 'object' },
      x_actions: {
        handler: 'locator.element_info',
        binding: { arguments: { locator: { selector: '.card' } } },
      },
    },
    {
      name: 'card.open',
      description: 'Open a card.',
      input_schema: { type: 'object' },
      workflow: workflow(found('.card'), { id: 'press', primitive: 'pointer.click', args: CLICK }),
    },
  ],
};

export const WILD_MAPS: Readonly<Record<string, object>> = {
  REFERENCE,
  FIRST_DRAFT,
  BOUND,
  SHEET,
  BOOK,
  DESCRIBED,
  UNVERSIONED,
};
