/** One call a key at a time: who asks while a call for the same key is under way gets its answer. Later callers ask anew. */
export function shareInFlight<V>(ask: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const asked = new Map<string, Promise<V>>();
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    const answer = ask(key).finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  };
}
