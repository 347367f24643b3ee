/** The worker's texts for people, in the browser and on the extension's pages. Agents get its errors. */
export const en = {
  lend: 'Lend this tab to Drawbridge',
  takeBack: 'Take this tab back from Drawbridge',
  menu: 'Lend this tab to Drawbridge, or take it back',
  /** By an error's `reason`, or its code; `at` is an address. */
  why: {
    not_seen: () =>
      'Press the Drawbridge button in the toolbar on this tab: before that, Chrome does not show it.',
    browser_page: () => 'Only web pages can be lent, not the browser’s own pages.',
    web_store: () => 'Chrome lets no extension into the Web Store.',
    control_plane: () =>
      'This is your relay. You can’t lend it: an agent there could answer its own questions.',
    site_not_allowed: () =>
      'Chrome does not let Drawbridge into this page. Press its button in the toolbar there.',
    error_page: () => 'The tab shows an error page of the browser. Go elsewhere, or try again.',
    site_rule: (at: string) => `Your rule for ${at} forbids this. Change it in the options.`,
    no_debugger: () => 'This build has no real mouse and keyboard. Lend the tab without them.',
    not_paired: () => 'The extension is not paired with a relay. Pair it in the options.',
    runtime_not_found: () => 'This tab is not lent. Lend it first.',
    task_not_found: () => 'No task is running in this tab. Start one.',
    task_busy: () => 'A task is running in this tab already. Stop it first.',
    element_gone: () => 'That element is no longer on the page.',
    grant_gone: () => 'That permission is no longer there.',
    bad_link: () => 'This is not a pairing link. Paste the link that the command shown here prints.',
    plain_link: () => 'A relay on another machine needs an https link. Ask for one.',
    wrong_roles: () =>
      'This link is for another kind of device. Make one for an extension with the command shown here.',
    relay_away: (at: string) => `No answer from ${at}. Start the relay there, or check the network.`,
    relay_refused: () => 'The relay no longer knows this device. Pair it again.',
    server_refused: () => 'Chrome does not connect to that address.',
    server_late: () => 'No answer in time.',
    server_lost: () => 'The connection was lost.',
    server_away: () => 'No answer.',
  },
};

export type WorkerWords = typeof en;
export type Reason = keyof WorkerWords['why'];
