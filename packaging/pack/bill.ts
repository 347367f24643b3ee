import { createHash } from 'node:crypto';
import type { ThirdParty } from './third-party.ts';

/** https://cyclonedx.org/docs/1.6/json/ */
export function billOfMaterials(name: string, version: string, carried: readonly ThirdParty[]): string {
  const own = `pkg:npm/${name}@${version}`;
  const components = carried.map((one) => ({
    type: 'library',
    'bom-ref': purlOf(one),
    name: one.name,
    version: one.version,
    purl: purlOf(one),
    licenses: [one.licence.includes(' ') ? { expression: one.licence } : { license: { id: one.licence } }],
    properties: [{ name: 'drawbridge:part', value: one.parts.join(',') }],
  }));
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${uuidOf(JSON.stringify([own, components]))}`,
      version: 1,
      metadata: { component: { type: 'application', 'bom-ref': own, name, version, purl: own } },
      components,
      dependencies: [{ ref: own, dependsOn: carried.map(purlOf) }],
    },
    null,
    2,
  )}\n`;
}

const purlOf = ({ name, version }: ThirdParty): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/**
 * Depends only on the contents, so that packing twice makes the same file;
 * https://www.rfc-editor.org/rfc/rfc9562#section-5.8
 */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const RULE = '-'.repeat(72);

export function licenceList(carried: readonly ThirdParty[]): string {
  const names = carried.map(({ name, version, licence }) => `${name} ${version}  ${licence}`);
  const texts = carried.map(({ name, version, licence, text }) =>
    [RULE, `${name} ${version} (${licence})`, '', text || 'No licence text was included.'].join('\n'),
  );
  return `${['Third-party software in this package, and its licences.', '', ...names, '', ...texts].join('\n')}\n`;
}
