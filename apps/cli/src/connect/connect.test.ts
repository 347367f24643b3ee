import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { drawbridge } from '../../test/terminal.ts';
import { createConnect } from './connect.ts';
import { thisInstallation } from './server-entry.ts';

const ENTRY = { command: '/opt/node 24/bin/node', args: ['/opt/draw"bridge/bin/drawbridge.mjs', 'mcp'] };

/** A temporary home and project. */
function place(env: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'connect-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [home, folder] = [join(root, 'home'), join(root, 'project')];
  const command = createConnect(() => ({ home, folder, platform: 'linux', env }), ENTRY);
  return {
    home,
    folder,
    at: (...path: string[]) => join(root, ...path),
    put(path: string, text: string) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    text: (path: string) => readFileSync(join(root, path), 'utf8'),
    async run(...args: string[]) {
      const out: string[] = [];
      const print = (line: string) => void out.push(line);
      await command.run(args, { stdin: Readable.from([]), print, printError: print });
      return out.join('\n');
    },
  };
}

const JSON_CLIENTS = [
  ['claude', 'project/.mcp.json', 'home/.claude.json', 'mcpServers', { type: 'stdio' }],
  ['cursor', 'project/.cursor/mcp.json', 'home/.cursor/mcp.json', 'mcpServers', { type: 'stdio' }],
  ['gemini', 'project/.gemini/settings.json', 'home/.gemini/settings.json', 'mcpServers', {}],
  ['vscode', 'project/.vscode/mcp.json', 'home/.config/Code/User/mcp.json', 'servers', { type: 'stdio' }],
  ['zed', 'project/.zed/settings.json', 'home/.config/zed/settings.json', 'context_servers', {}],
] as const;

test('connect opencode writes the command and its arguments as one list', async () => {
  const here = place();
  await here.run('opencode', '--write');
  const command = [ENTRY.command, ...ENTRY.args];
  expect(JSON.parse(here.text('project/opencode.json'))).toEqual({
    mcp: { drawbridge: { type: 'local', command } },
  });
  expect(await here.run('opencode', '--write')).toContain('has it already');
  await here.run('opencode', '--write', '--global');
  expect(here.text('home/.config/opencode/opencode.json')).toContain('"drawbridge"');
});

test('connect windsurf writes its one file, which is user-wide', async () => {
  const here = place();
  await here.run('windsurf', '--write');
  expect(JSON.parse(here.text('home/.codeium/windsurf/mcp_config.json'))).toEqual({
    mcpServers: { drawbridge: ENTRY },
  });
  expect(existsSync(here.folder)).toBe(false);
});

describe.each(JSON_CLIENTS)('connect %s', (client, projectFile, userFile, key, extra) => {
  test('shows the entry and its file, and writes nothing', async () => {
    const here = place();
    const shown = await here.run(client);
    expect(shown).toContain(JSON.stringify(ENTRY.command));
    expect(shown.replaceAll('\n', ' ')).toContain(here.at(projectFile));
    expect(shown).toContain(`drawbridge connect ${client} --write`);
    expect(existsSync(here.folder)).toBe(false);
  });

  test('creates the project’s file, and shows the next step', async () => {
    const here = place();
    expect(await here.run(client, '--write')).toContain('Next:');
    expect(JSON.parse(here.text(projectFile))).toEqual({ [key]: { drawbridge: { ...extra, ...ENTRY } } });
    expect(existsSync(here.home)).toBe(false);
  });

  test('keeps every other byte, and removes exactly its own', async () => {
    const here = place();
    const before = `{\n\t"theme": "dark",\n\t"${key}": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"last": 1.5\n}\n`;
    here.put(userFile, before);
    await here.run(client, '--write', '--global');
    const written = here.text(userFile);
    expect(JSON.parse(written)[key]).toEqual({
      other: { command: 'x' },
      drawbridge: { ...extra, ...ENTRY },
    });
    expect(written.startsWith(before.slice(0, before.indexOf('"x"')))).toBe(true);
    await here.run(client, '--remove', '--global');
    expect(here.text(userFile)).toBe(before);
  });
});

describe('connect codex', () => {
  const FILE = 'home/.codex/config.toml';
  const MINE = `[mcp_servers.drawbridge]
command = "/opt/node 24/bin/node"
args = ["/opt/draw\\"bridge/bin/drawbridge.mjs", "mcp"]
`;
  const OTHERS = `# mine
model = "o"
notes = """
[mcp_servers.drawbridge]
"""
lists = [
  ["a"],
]

[mcp_servers.other] # theirs
command = 'x'

# about the profile
[profiles.fast]
model = "p"
`;

  test('adds a table at the end, and removes it again', async () => {
    const here = place();
    here.put(FILE, OTHERS);
    await here.run('codex', '--write');
    expect(here.text(FILE)).toBe(`${OTHERS}\n${MINE}`);
    await here.run('codex', '--remove');
    expect(here.text(FILE)).toBe(OTHERS);
  });

  test('follows CODEX_HOME, and creates a missing file', async () => {
    const root = mkdtempSync(join(tmpdir(), 'codex-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    await place({ CODEX_HOME: root }).run('codex', '--write');
    expect(readFileSync(join(root, 'config.toml'), 'utf8')).toBe(MINE);
  });

  test('refuses a table that starts something else, and replaces it when forced', async () => {
    const here = place();
    const other = `[mcp_servers."drawbridge"]\ncommand = "old"\n\n[mcp_servers.drawbridge.env]\nA = "1"\n\n# next\n[z]\n`;
    here.put(FILE, other);
    await expect(here.run('codex', '--write')).rejects.toThrow('--write --force');
    expect(here.text(FILE)).toBe(other);
    await here.run('codex', '--write', '--force');
    expect(here.text(FILE)).toBe(other.replace('[mcp_servers."drawbridge"]\ncommand = "old"\n', MINE));
    await here.run('codex', '--remove');
    expect(here.text(FILE)).not.toContain('drawbridge');
    expect(here.text(FILE)).toContain('# next\n[z]\n');
  });

  test('keeps the line ends of Windows', async () => {
    const here = place();
    here.put(FILE, 'model = "o"\r\n');
    await here.run('codex', '--write');
    expect(here.text(FILE).replaceAll('\r\n', '')).not.toContain('\n');
  });

  test.each([
    ['a text without an end', 'model = "o\n'],
    ['a list without an end', 'a = [1,\n'],
    ['an inline table', 'mcp_servers = { other = { command = "x" } }\n'],
    ['a dotted key', 'mcp_servers.drawbridge.command = "x"\n'],
    ['a key of the list', '[mcp_servers]\ndrawbridge = { command = "x" }\n'],
    ['a list of tables', '[[mcp_servers]]\ncommand = "x"\n'],
  ])('leaves a file with %s as it is', async (_, text) => {
    const here = place();
    here.put(FILE, text);
    await expect(here.run('codex', '--write', '--force')).rejects.toThrow('stays as it is');
    await expect(here.run('codex', '--remove')).rejects.toThrow('stays as it is');
    expect(here.text(FILE)).toBe(text);
  });
});

describe('a JSON file', () => {
  const FILE = 'project/.mcp.json';

  test.each([
    ['is broken', '{ "mcpServers": '],
    ['has text after its end', '{ "a": 1 } and more'],
    ['has our list twice', '{ "mcpServers": {}, "mcpServers": {} }'],
    ['has us twice', '{ "mcpServers": { "drawbridge": {}, "drawbridge": {} } }'],
    ['is a list', '[]'],
    ['has a list of servers that is none', '{ "mcpServers": [] }'],
  ])('that %s stays as it is', async (_, text) => {
    const here = place();
    here.put(FILE, text);
    await expect(here.run('claude', '--write', '--force')).rejects.toThrow('stays as it is');
    await expect(here.run('claude', '--remove')).rejects.toThrow('stays as it is');
    expect(here.text(FILE)).toBe(text);
    expect(await here.run('claude')).toContain('mcpServers');
  });

  test('keeps comments, trailing commas, numbers and order byte for byte', async () => {
    const here = place();
    const before = `// settings
{
    "big": 12345678901234567890, "twice": 1, "twice": 2,
    /* servers */
    "mcpServers": {
        // theirs
        "other": { "command": "x", }
    }, // end
}
`;
    here.put(FILE, before);
    await here.run('claude', '--write');
    const written = here.text(FILE);
    const [head = '', tail = ''] = before.split(`"x", }`);
    expect(written.startsWith(`${head}"x", },\n        "drawbridge": {`)).toBe(true);
    expect(written.endsWith(tail)).toBe(true);
    await here.run('claude', '--remove');
    expect(here.text(FILE)).toBe(before);
  });

  test.each([
    '{ "mcpServers": {\n  // mine\n  "drawbridge": { "command": "x" }\n} }',
    '{ "mcpServers": {\n  "a": {}, // theirs\n  "drawbridge": { "command": "x" }\n} }',
  ])('that would lose a comment with us stays as it is: %j', async (text) => {
    const here = place();
    here.put(FILE, text);
    await expect(here.run('claude', '--remove')).rejects.toThrow('take a comment along');
    expect(here.text(FILE)).toBe(text);
  });

  test('with our entry is not written again', async () => {
    const here = place();
    await here.run('claude', '--write');
    const written = statSync(here.at(FILE)).ino;
    expect(await here.run('claude', '--write')).toContain('nothing is changed');
    expect(await here.run('claude')).toContain('Already there.');
    expect(statSync(here.at(FILE)).ino).toBe(written);
  });

  test('with another program under our name is replaced only by force, and keeps its extras', async () => {
    const here = place();
    here.put(FILE, '{ "mcpServers": { "drawbridge": { "command": "old", "env": { "A": "1" } } } }');
    await expect(here.run('claude', '--write')).rejects.toThrow('starts something else');
    await here.run('claude', '--write', '--force');
    expect(JSON.parse(here.text(FILE)).mcpServers.drawbridge).toEqual({
      type: 'stdio',
      ...ENTRY,
      env: { A: '1' },
    });
  });

  test('behind a symlink is changed in place, keeps its mode, and leaves no temporary file', async () => {
    const here = place();
    here.put('home/dotfiles/claude.json', '{}');
    chmodSync(here.at('home/dotfiles/claude.json'), 0o600);
    symlinkSync(here.at('home/dotfiles/claude.json'), here.at('home/.claude.json'));
    await here.run('claude', '--write', '--global');
    expect(lstatSync(here.at('home/.claude.json')).isSymbolicLink()).toBe(true);
    expect(here.text('home/dotfiles/claude.json')).toContain('drawbridge');
    expect(statSync(here.at('home/dotfiles/claude.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(here.at('home/dotfiles'))).toEqual(['claude.json']);
  });

  test('keeps a byte order mark and the line ends of Windows', async () => {
    const here = place();
    here.put(FILE, '\uFEFF{\r\n    "a": "\\n"\r\n}\r\n');
    await here.run('claude', '--write');
    expect(here.text(FILE)).toMatch(/^\uFEFF\{\r\n {4}"a": "\\n",\r\n {4}"mcpServers"/);
    await here.run('claude', '--remove');
    expect(here.text(FILE)).toBe('\uFEFF{\r\n    "a": "\\n"\r\n}\r\n');
  });
});

test('--json reports the result', async () => {
  const here = place();
  expect(JSON.parse(await here.run('gemini', '--write', '--json'))).toMatchObject({
    client: 'gemini',
    file: here.at('project/.gemini/settings.json'),
    standing: 'absent',
    done: 'written',
  });
  expect(JSON.parse(await here.run('gemini', '--json'))).toMatchObject({ standing: 'same', done: 'shown' });
  expect(JSON.parse(await here.run('gemini', '--remove', '--json'))).toMatchObject({ done: 'removed' });
  expect(JSON.parse(await here.run('gemini', '--remove', '--json'))).toMatchObject({ done: 'unchanged' });
});

test('the written entry starts this installation', () => {
  const { command, args } = thisInstallation();
  expect([existsSync(command), existsSync(args[0] ?? ''), args[1]]).toEqual([true, true, 'mcp']);
});

test.each([
  [['connect'], 'Which client?'],
  [['connect', 'emacs'], 'There is no client "emacs".'],
  [['connect', 'claude', '--write', '--remove'], 'not both'],
  [['connect', 'claude', '--loud'], "Unknown option '--loud'"],
])('%j is wrong usage', async (args, complaint) => {
  expect(await drawbridge(args)).toMatchObject({ code: 2, errors: expect.stringContaining(complaint) });
});
