import { generateAsyncApi } from './asyncapi.ts';
import { generateChecks } from './checks.ts';
import { generateErrorCodes, generateLimits } from './code-pages.ts';
import type { GeneratedFile } from './file.ts';
import type { Inputs } from './inputs.ts';
import { generateOpenApi } from './openapi.ts';
import { generateMessagePages } from './reference.ts';
import { generateReferenceIndex } from './reference-index.ts';

/** The folders that hold generated files and nothing else. */
export const GENERATED_FOLDERS = ['docs/reference', 'packages/protocol/src/generated'] as const;

export const generateAll = (inputs: Inputs): readonly GeneratedFile[] => [
  ...generateChecks(),
  generateReferenceIndex(),
  ...generateMessagePages(inputs.examples),
  generateErrorCodes(),
  generateLimits(),
  generateAsyncApi(inputs),
  generateOpenApi(inputs),
];
