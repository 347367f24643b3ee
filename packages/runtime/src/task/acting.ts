import { type Action, formatAction } from '@drawbridge/protocol';
import { hashTree } from '@drawbridge/protocol/semantic';
import { toolTitle } from '@drawbridge/protocol/sentences';
import { elementOf } from './action-call.ts';
import type { Decided } from './deciding.ts';
import type { ActDecision } from './decision.ts';
import { doubt, lastOfDone, lastOfUndone, pendingAct } from './last-act.ts';
import { bareRecord, detailsOf, locationOf, recordOf } from './step-record.ts';
import { actWords, outcomeWords, shownAction } from './step-words.ts';
import type { BegunAct, LastAct, StepRecord, Subject } from './task-event.ts';
import type { Act, Acted, Perceived, Thumbnail } from './task-page.ts';
import { hold, perceive, recordStep, type TaskRun, throwIfCancelled } from './task-run.ts';

/** Performs the decided action unless a person intervened, with events before and after. */
export async function perform(run: TaskRun, decided: Decided, decision: ActDecision): Promise<void> {
  const { seen, asOf } = decided;
  const { control, emit } = run;
  await hold(run);
  const first = personFirst(run, asOf);
  if (first !== undefined) {
    recordStep(run, {
      last: pendingAct(seen.url, `${formatAction(decision.action)} was not done. ${first}`),
    });
    return emit('step.cancel', 'user', first);
  }
  const begun = await beginning(run, decision, seen);
  throwIfCancelled(run);
  recordStep(run, { acting: begun });
  const index = run.memory.checkpoint.step;
  const words = actWords(begun.action, begun.subject);
  const step = detailsOf(run.task, { ...bareRecord(index, begun), status: 'running' });
  await emit('act.start', 'navigator', words, { step });
  const { action, details, expected } = decision;
  const act: Act = { action, seen, ...(details && { details }), ...(expected && { expected }) };
  const acted = await actOnce(run, act);
  const last = acted.ok ? lastOfDone(begun, acted, run.clock.now()) : lastOfUndone(begun, acted);
  const thumbnail = control.signal.aborted ? undefined : await thumbnailOf(run);
  await close(run, recordOf(index, begun, acted), last, outcomeWords(words, acted), thumbnail);
}

/** INT-54: an invalid action is not done, and the decider is told. */
export async function refuse(run: TaskRun, action: string, message: string, seen: Perceived): Promise<void> {
  recordStep(run, {
    last: {
      previousUrl: seen.url,
      lastActionStatus: 'failure',
      lastActionError: { message, code: 'invalid_action', action: action.slice(0, 200) },
      lastActionResult: { success: false },
    },
  });
  const at = run.memory.checkpoint.step;
  recordStep(run, { step: at + 1 });
  await run.emit('step.fail', 'navigator', message, { at });
}

/** After a restart with a started action whose outcome is unknown: looks at the page and does not repeat it. */
export async function settleBegun(run: TaskRun, begun: BegunAct): Promise<void> {
  const seen = await perceive(run, {});
  const message = doubt(
    begun.action,
    `the task stopped in the middle of it. The page is at ${seen.url} now.`,
  );
  const record: StepRecord = {
    ...bareRecord(run.memory.checkpoint.step, begun),
    status: 'unknown',
    after: locationOf(seen),
    error: { code: 'restarted', message },
  };
  const didUrlChange = seen.url !== begun.before.url;
  const last: LastAct = {
    ...pendingAct(begun.before.url, message),
    clientObservations: {
      didUrlChange,
      didDomMutate: didUrlChange || hashTree(seen.interactiveTree) !== begun.hash,
    },
  };
  await close(run, record, last, message);
}

/** An intervention of a person since the decision, which voids it. */
function personFirst({ control }: TaskRun, asOf: Decided['asOf']): string | undefined {
  if (control.takeovers() > asOf.takeovers) return 'A person took over and has handed back.';
  return control.words().length > asOf.words ? 'A person said something first.' : undefined;
}

async function beginning(run: TaskRun, decision: ActDecision, seen: Perceived): Promise<BegunAct> {
  const { action, details, thought, reasoning } = decision;
  const facts = await run.page.describe(action, run.control.signal);
  const elementId = elementOf(action);
  const node = seen.interactiveTree.find(({ i }) => i === elementId);
  const selectorPath = details?.selectorPath ?? facts.selectorPath;
  const isSecret = facts.secret === true;
  const subject: Subject | undefined =
    elementId === undefined
      ? toolOf(action, seen)
      : {
          role: node?.r ?? '',
          name: node?.n ?? '',
          ...(selectorPath !== undefined && { selectorPath }),
          ...(isSecret && { secret: true as const }),
        };
  return {
    action: shownAction(action, isSecret),
    ...(elementId !== undefined && { elementId }),
    before: locationOf(seen),
    hash: hashTree(seen.interactiveTree),
    ...(subject && { subject }),
    ...(thought !== '' && { thought }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** A tool of the site's map, in the map's words. */
function toolOf({ name, args: [called] }: Action, { tools = [] }: Perceived): Subject | undefined {
  const tool = name === 'call' ? tools.find((each) => each.name === called) : undefined;
  const title = toolTitle(tool?.description ?? '');
  return title === '' ? undefined : { role: '', name: title };
}

async function actOnce({ page, control }: TaskRun, act: Act): Promise<Acted> {
  try {
    return await page.act(act, control.signal);
  } catch (error) {
    const message = control.signal.aborted ? 'Cancelled during the action.' : String(error);
    const code = control.signal.aborted ? 'cancelled' : 'handler_failed';
    return { ok: false, error: { code, message }, indeterminate: true };
  }
}

async function close(
  run: TaskRun,
  record: StepRecord,
  last: LastAct,
  words: string,
  thumbnail?: Thumbnail,
): Promise<void> {
  const { memory, emit } = run;
  const at = memory.checkpoint.step;
  memory.steps.push(record);
  recordStep(run, { acting: undefined, last, step: at + 1 });
  const isOk = record.status === 'ok';
  await emit(isOk ? 'act.ok' : 'act.fail', 'navigator', words, {
    at,
    step: detailsOf(run.task, record),
    record,
    ...(thumbnail && { thumbnail }),
  });
  if (!run.control.signal.aborted) await emit(isOk ? 'step.ok' : 'step.fail', 'navigator', words, { at });
}

async function thumbnailOf({ page, control }: TaskRun): Promise<Thumbnail | undefined> {
  try {
    return await page.thumbnail?.(control.signal);
  } catch {
    return undefined;
  }
}
