interface CursorQuery {
  readonly cursor: () => { readonly next: () => Promise<unknown>; readonly close: () => Promise<void> };
}

/**
 * The documents of a query one by one, as a lean query has them. Whoever leaves early, or throws, leaves nothing open: a cursor of
 * mongoose that is merely dropped keeps its session and its batch of documents for as long as the connection lives.
 */
export async function* eachDocument<T>(query: CursorQuery): AsyncGenerator<T, void, undefined> {
  const cursor = query.cursor();
  try {
    for (let found = await cursor.next(); found !== null; found = await cursor.next()) yield found as T;
  } finally {
    await cursor.close();
  }
}
