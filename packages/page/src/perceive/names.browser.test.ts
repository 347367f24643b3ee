import { isDeep, sampled } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { sharedPage, type TestPage } from '../../test/page-harness.ts';
import { NAME_CASES, type NameCase } from '../../test/perceive/name-cases.ts';

const shared = sharedPage();

interface Answer {
  readonly role: string;
  readonly name: string;
}

async function ourAnswer(page: TestPage): Promise<Answer> {
  return page.run(() => {
    const element = document.querySelector('#t');
    if (element === null) throw new Error('A case without an element.');
    return { role: drawbridgeKit.code.roleOf(element), name: drawbridgeKit.code.accessibleNameOf(element) };
  });
}

/** Chromium's terms for ARIA roles. */
const CHROMIUM_ROLES: Readonly<Record<string, string>> = { image: 'img', none: 'presentation' };

async function chromiumAnswer({ page }: TestPage): Promise<Answer> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.querySelector("#t")' });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    ...(result.objectId !== undefined && { objectId: result.objectId }),
    fetchRelatives: false,
  });
  await session.detach();
  const role = String(nodes[0]?.role?.value ?? '');
  return { role: CHROMIUM_ROLES[role] ?? role, name: String(nodes[0]?.name?.value ?? '').trim() };
}

function agrees(expected: NameCase, answer: Answer): boolean {
  const sameName = expected.name === undefined || expected.name === answer.name;
  return sameName && (expected.role === undefined || expected.role === answer.role);
}

/** Deliberate differences from the specifications; docs/page/names.md gives the reasons. */
const KNOWN_DIFFERENCES = ['<span id="t" aria-label="x">y</span>'];

test('[INT-221] agrees with the specifications but for the known differences', async () => {
  const differing: string[] = [];
  const cases = sampled(NAME_CASES, 3);
  for (const expected of cases)
    if (!agrees(expected, await ourAnswer(await shared.show(expected.html)))) differing.push(expected.html);
  expect(NAME_CASES.length).toBeGreaterThanOrEqual(80);
  const known = KNOWN_DIFFERENCES.filter((html) => cases.some((each) => each.html === html));
  expect(differing).toEqual(known);
});

if (isDeep) {
  test('[INT-221] Chromium agrees with the specifications no more often', async () => {
    const differing: string[] = [];
    for (const expected of NAME_CASES)
      if (!agrees(expected, await chromiumAnswer(await shared.show(expected.html))))
        differing.push(expected.html);
    expect(differing.length).toBeGreaterThanOrEqual(KNOWN_DIFFERENCES.length);
  });
}
