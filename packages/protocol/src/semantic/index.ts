export type { SemanticNode, SemanticNodeV2, SemanticPage } from '../interact/semantic-tree.ts';
export { applyTreeDiff, diffTrees, type NodeChange, type PlacedNode, type TreeDiff } from './keyed-diff.ts';
export {
  type ContextLine,
  formatDiffLines,
  formatLines,
  type ParsedLines,
  parseLines,
} from './line-form.ts';
export { OUTCOME_KINDS, type OutcomeKind } from './outcome-kinds.ts';
export { SHORT_ROLES } from './short-roles.ts';
export { cutToTokens, estimateTokens } from './token-estimate.ts';
export { hashTree } from './tree-hash.ts';
export { formatView, type ViewLine, type ViewNode, viewFields, viewLines, viewNode } from './view-lines.ts';
