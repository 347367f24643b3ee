/** What was opened on the way is closed again when `build` fails; when it does not, closing it is for who asked. */
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
