/** First steps, demo, help and keyboard. */
export const startEn = {
  demo: {
    title: 'Demo',
    play: 'Play the demo',
    playing: 'The demo is playing',
    says: 'An agent buys a lamp in a demo shop and asks you before it pays. Then you steer a coding agent. Under three minutes, no model, no money.',
    empty:
      'No agent is connected yet. Watch one at work: it buys a lamp in a demo shop, and asks you before it pays.',
  },
  first: {
    title: 'First steps',
    says: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide these steps',
    done: 'done',
    browser: {
      title: 'Lend a browser',
      says: 'Agents see and use only tabs that are lent to them. \u201cnpm start\u201d lends one; your own Chrome lends tab by tab, with the extension.',
    },
    agent: {
      title: 'Connect an agent',
      says: 'Start a coding agent from here, or let an agent on your machine use the browser: run this in its project’s folder.',
    },
    phone: {
      title: 'Let in another device',
      says: 'Answer and steer from your phone or another computer. Make a link under Devices and open it there.',
    },
    model: {
      title: 'Choose a model for tasks',
      says: 'Without one, tasks follow plain requests only. Agents that you connect bring their own.',
    },
  },
  help: {
    title: 'Help',
    open: 'Help',
    words: [
      [
        'Relay',
        'the server that \u201cnpm start\u201d runs. It connects agents, browsers and you, and serves this page.',
      ],
      ['Session', 'a conversation with one agent: what it says and does, and your answers.'],
      [
        'Lent tab',
        'a browser tab that agents may read and act in. You are asked before what can’t be undone.',
      ],
      ['Proxy', 'a program on the machine with your code. It starts coding agents there and connects them.'],
      ['Task', 'one sentence that a browser carries out, step by step.'],
      ['Map', 'a description of a site: what agents can do there, by name.'],
    ] as readonly (readonly [name: string, meaning: string])[],
    guides:
      'All guides are in the folder docs of your copy of Drawbridge; README.md lists them. When something is wrong, run:',
  },
  keys: {
    title: 'Keyboard shortcuts',
    decision: 'Go to the waiting decision',
    content: 'Go to the content',
    announced: (count: number) =>
      count === 1 ? 'An agent waits for your decision.' : `${count} decisions wait for you.`,
    rows: {
      help: 'Show this list',
      palette: 'Search and commands',
      search: 'Search sessions and messages',
      decision: 'Go to the waiting decision',
      send: 'Send the message; with Shift, start a new line',
      close: 'Close a dialog',
    },
  },
  palette: {
    title: 'Command palette',
    placeholder: 'Go to a session, or do something…',
    open: 'Search and commands',
    none: 'Nothing found.',
    go: (name: string) => `Go to ${name}`,
  },
};
