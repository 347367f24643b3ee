import { generateAsyncApi } from './asyncapi.ts';
import { generateBridgeMatrix } from './bridge-matrix.ts';
import { generateChatMatrix } from './chat-matrix.ts';
import { generateChecks } from './checks.ts';
import { generateErrorCodes, generateLimits } from './code-pages.ts';
import type { GeneratedFile } from './file.ts';
import type { Inputs } from './inputs.ts';
import { generateLogPage } from './log-page.ts';
import { generateManifestSchema } from './manifest-schema.ts';
import { generateMapPages } from './map-pages.ts';
import { generateOpenApi } from './openapi.ts';
import { generatePrimitivePage } from './primitive-pages.ts';
import { generateMessagePages } from './reference.ts';
import { generateReferenceIndex } from './reference-index.ts';
import { generateReliability } from './reliability-page.ts';

/** Folders that hold only generated files. */
export const GENERATED_FOLDERS = [
  'docs/reference',
  'docs/schema',
  'packages/protocol/src/generated',
] as const;

/** Files generated from the schemas alone, before any check function exists. */
export const generateFromSchemas = (inputs: Inputs): readonly GeneratedFile[] => [
  ...generateChecks(),
  generateReferenceIndex(),
  ...generateMessagePages(inputs.examples),
  generateErrorCodes(),
  generateLimits(),
  generatePrimitivePage(),
  generateBridgeMatrix(),
  generateChatMatrix(),
  generateAsyncApi(inputs),
  generateOpenApi(inputs),
  generateManifestSchema(),
  generateReliability(inputs.runs),
];

export const generateAll = async (inputs: Inputs): Promise<readonly GeneratedFile[]> => [
  ...generateFromSchemas(inputs),
  ...(await generateMapPages()),
  await generateLogPage(),
];
