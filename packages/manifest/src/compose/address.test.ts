import type { Import } from '@drawbridge/protocol/manifest';
import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

const LOCAL = 'local:maps/actions.json';
const TEAM = 'storage:shared/team/sites/a.test/b/actions.json';
const WEB = 'https://shop.test/actions.json';

test.each<[Import['kind'], string, string, string]>([
  ['local', 'b.json', LOCAL, 'local:maps/b.json'],
  ['local', './x/../b.json', LOCAL, 'local:maps/b.json'],
  ['local', '../b.json', LOCAL, 'local:b.json'],
  ['local', '../../b.json', LOCAL, 'local:../b.json'],
  ['local', '../../../b.json', LOCAL, 'local:../../b.json'],
  ['local', '/etc//./passwd', LOCAL, 'local:/etc/passwd'],
  ['local', 'b.json', WEB, 'local:b.json'],
  ['storage', 'sites/x', LOCAL, 'storage:private/sites/x'],
  ['storage', 'sites/x', TEAM, 'storage:shared/team/sites/x'],
  ['storage', 'sites/x', WEB, 'storage:public/sites/x'],
  ['storage', 'sites/x', 'storage:nonsense', 'storage:public/sites/x'],
  ['storage', 'public/sites/x', TEAM, 'storage:public/sites/x'],
  ['shared', 'team/sites/x', LOCAL, 'storage:shared/team/sites/x'],
  ['public', 'sites/x', TEAM, 'storage:public/sites/x'],
  ['public', WEB, TEAM, WEB],
  ['website', WEB, LOCAL, WEB],
  ['website', 'shop.test', LOCAL, 'shop.test'],
  ['package', 'maps-of-shops', LOCAL, 'package:maps-of-shops'],
])('an import of kind %s with uri %j, seen from %s, leads to %s', (kind, uri, from, address) => {
  expect(addressOf({ id: 'a', kind, uri }, from)).toBe(address);
});
