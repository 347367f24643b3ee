import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../command.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/drawbridge.mjs', import.meta.url));
const LABEL = 'dev.drawbridge.proxy';

/** A user service; agents are found by the user's PATH. */
export function serviceLines(kind: string, args: readonly string[]): readonly string[] {
  const command = [process.execPath, PROGRAM, 'proxy', ...args];
  const env = { PATH: process.env['PATH'] ?? '', HOME: homedir() };
  if (kind === 'systemd') return systemdUnit(command, env);
  if (kind === 'launchd') return launchdList(command, env);
  throw new UsageError(`A service for systemd or launchd, not "${kind}".`);
}

type Environment = Readonly<Record<string, string>>;

/** https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html#Command%20lines */
const quoted = (word: string): string =>
  `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

const systemdUnit = (command: readonly string[], env: Environment): readonly string[] => [
  '# ~/.config/systemd/user/drawbridge-proxy.service, then:',
  '#   systemctl --user enable --now drawbridge-proxy',
  '[Unit]',
  'Description=Coding agents of this machine, steered through Drawbridge',
  'After=network-online.target',
  '',
  '[Service]',
  `ExecStart=${command.map(quoted).join(' ')}`,
  ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
  `WorkingDirectory=${process.cwd().replaceAll('%', '%%')}`,
  'Restart=always',
  'RestartSec=2',
  '',
  '[Install]',
  'WantedBy=default.target',
];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const launchdList = (command: readonly string[], env: Environment): readonly string[] => [
  '<?xml version="1.0" encoding="UTF-8"?>',
  `<!-- ~/Library/LaunchAgents/${LABEL}.plist, then: launchctl load -w that file -->`,
  '<plist version="1.0"><dict>',
  `  <key>Label</key><string>${LABEL}</string>`,
  '  <key>ProgramArguments</key><array>',
  ...command.map((word) => `    <string>${escaped(word)}</string>`),
  '  </array>',
  '  <key>EnvironmentVariables</key><dict>',
  ...Object.entries(env).map(([name, value]) => `    <key>${name}</key><string>${escaped(value)}</string>`),
  '  </dict>',
  `  <key>WorkingDirectory</key><string>${escaped(process.cwd())}</string>`,
  '  <key>RunAtLoad</key><true/>',
  '  <key>KeepAlive</key><true/>',
  '</dict></plist>',
];
