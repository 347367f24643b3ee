/** Answers come from our own server with the same types. */
export async function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, ...(signal && { signal }) });
  if (!response.ok) throw new Error(`The shop answered ${response.status} to ${path}`);
  return response.json();
}

export type PostOutcome<Answer, Refusal> = { ok: true; answer: Answer } | { ok: false; refusal: Refusal };

/** A refusal (422) is a result to show; any other failure throws. */
export async function postForm<Answer, Refusal = unknown>(
  path: string,
  body: URLSearchParams | FormData,
): Promise<PostOutcome<Answer, Refusal>> {
  const response = await fetch(path, { method: 'POST', headers: { accept: 'application/json' }, body });
  if (response.ok) return { ok: true, answer: await response.json() };
  if (response.status === 422) return { ok: false, refusal: await response.json() };
  throw new Error(`The shop answered ${response.status} to ${path}`);
}
