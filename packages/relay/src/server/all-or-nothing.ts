/** Closes everything opened so far when `build` fails; after a success the caller closes it. */
export async function allOrNothing<Built>(
  build: (opened: AsyncDisposableStack) => Promise<Built>,
): Promise<Built> {
  const opened = new AsyncDisposableStack();
  try {
    return await build(opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
