/** Primitives that an agent knows by another name than the last word of ours. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ 'element.scroll_to': 'scroll', 'page.wait': 'wait', 'locator.wait_for': 'wait' },
  ...{ 'locator.element_info': 'target', 'actions.site': 'site', 'page.info': 'tabs list' },
  ...{ 'browser.claimed_tabs.list': 'tabs list', 'browser.claimed_tabs.activate': 'tabs activate' },
  ...{
    'browser.navigate': 'tabs navigate',
    'browser.open_tab': 'tabs open',
    'browser.close_tab': 'tabs close',
  },
  ...{ 'browser.files.list': 'tabs files', 'browser.files.read': 'read' },
  ...{ 'inspect.messages': 'inspect console', 'inspect.requests': 'inspect requests' },
  ...{ 'inspect.body': 'inspect body', 'inspect.storage': 'inspect storage' },
};

const PRIMITIVE =
  /\b(?:element|locator|page|browser|inspect|actions)\.(?:(?:claimed_tabs|files)\.)?([a-z_]+)\b/g;

/** Errors of primitives name the primitive; an agent knows the tool or the step. */
export const plainNames = (text: string): string =>
  text.replaceAll(PRIMITIVE, (name: string, last: string) => NAMES[name] ?? last);
